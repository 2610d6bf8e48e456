// SPDX-License-Identifier: BSL-1.0
// The indexing grammar, decided from types alone: which part of each axis an index expression selects, which axes vanish
// and where new ones appear (jax._src.numpy.indexing). The values of integers come later and change no shape.
#pragma once

#include <concepts>

#include <exprax/numpy/core/tags.hpp>
#include <exprax/types/aval.hpp>

namespace exprax::detail {

// traced: a scalar; array: of integers; mask: of bool.
enum class index_kind { integer, traced, slice, newaxis, ellipsis, array, mask, invalid };

struct index_item {
  index_kind kind = index_kind::invalid;
  bool has_start = false, has_stop = false;
  int start = 0, stop = 0, step = 1;
  aval array = {};  // of an array or a mask
};

template <class I>
struct item_of {
  static constexpr index_item value{std::integral<I> && !std::same_as<I, bool> ? index_kind::integer : index_kind::invalid};
};
template <>
struct item_of<all_t> {
  static constexpr index_item value{index_kind::slice};
};
template <>
struct item_of<newaxis_t> {
  static constexpr index_item value{index_kind::newaxis};
};
template <>
struct item_of<none_t> : item_of<newaxis_t> {};
template <>
struct item_of<ellipsis_t> {
  static constexpr index_item value{index_kind::ellipsis};
};
template <auto V>
constexpr int bound_of() {
  if constexpr (std::integral<decltype(V)>)
    return static_cast<int>(V);
  else
    return 0;
}
template <auto Start, auto Stop, int Step>
struct item_of<slice_t<Start, Stop, Step>> {
  static constexpr index_item value{
      index_kind::slice, std::integral<decltype(Start)>, std::integral<decltype(Stop)>, bound_of<Start>(), bound_of<Stop>(), Step};
};

// The elements start, start + stride, ... below limit; reversed afterwards when the step was negative.
struct axis_range {
  int start = 0, limit = 0, stride = 1;
  bool reversed = false;
  constexpr int size() const { return limit > start ? (limit - start - 1) / stride + 1 : 0; }
  constexpr bool whole(int n) const { return start == 0 && limit == n && stride == 1; }
};

constexpr int clamp_bound(int i, int n, int low, int high) {
  if (i < 0) i += n;
  return i < low ? low : i > high ? high : i;
}

// slice.indices(n) of Python, turned into a range that runs upwards.
constexpr axis_range range_of(index_item const& s, int n) {
  if (s.step > 0) {
    int const start = s.has_start ? clamp_bound(s.start, n, 0, n) : 0;
    int const stop = s.has_stop ? clamp_bound(s.stop, n, 0, n) : n;
    return {start, stop < start ? start : stop, s.step, false};
  }
  int const start = s.has_start ? clamp_bound(s.start, n, -1, n - 1) : n - 1;
  int const stop = s.has_stop ? clamp_bound(s.stop, n, -1, n - 1) : -1;
  int const count = start > stop ? (start - stop - 1) / -s.step + 1 : 0;
  if (count == 0) return {0, 0, -s.step, true};
  return {start + s.step * (count - 1), start + 1, -s.step, true};
}

struct index_plan {
  int rank = 0;                     // of what is indexed
  axis_range range[max_rank] = {};  // of each axis; an index selects one element, and gives its start when it is known
  bool indexed[max_rank] = {};      // whether an argument gives the start of the axis
  int source[max_rank] = {};        // which one
  bool traced[max_rank] = {};       // whether that argument is traced
  int n_rev = 0, rev[max_rank] = {};
  int n_squeeze = 0, squeeze[max_rank] = {};
  int n_new = 0, newaxis[max_rank] = {};  // in the result
  bool dynamic = false, strided = false;
  bool advanced = false;  // there is an array of integers: see numpy/indexing/gather_plan.hpp
  bool masked = false;    // or a mask: then nothing else here is filled
  bool too_many = false, two_ellipses = false, valid = true;
  aval sliced, squeezed, result;
};

constexpr index_plan plan_index(aval const& x, index_item const* items, int n) {
  index_plan p;
  p.rank = x.rank;
  int consumed = 0, dots = 0;
  for (int i = 0; i < n; ++i) {
    if (items[i].kind == index_kind::invalid) p.valid = false;
    p.masked = p.masked || items[i].kind == index_kind::mask;
    p.advanced = p.advanced || items[i].kind == index_kind::array;
    if (items[i].kind == index_kind::ellipsis)
      ++dots;
    else if (items[i].kind != index_kind::newaxis)
      ++consumed;
  }
  p.two_ellipses = dots > 1;
  p.too_many = consumed > x.rank;
  if (!p.valid || p.two_ellipses || p.too_many || p.masked) return p;

  p.sliced = aval(x.type, x.weak);
  p.squeezed = p.sliced;
  p.result = p.sliced;
  int axis = 0;
  auto const select = [&](index_item const& item, int argument = 0) {
    int const size = x.dims[axis];
    if (item.kind == index_kind::slice) {
      p.range[axis] = range_of(item, size);
      p.strided = p.strided || p.range[axis].stride != 1;
      if (p.range[axis].reversed) p.rev[p.n_rev++] = axis;
      int const count = p.range[axis].size();
      p.sliced.dims[p.sliced.rank++] = count;
      p.squeezed.dims[p.squeezed.rank++] = count;
      p.result.dims[p.result.rank++] = count;
    } else {
      p.range[axis] = {0, 1, 1, false};
      p.indexed[axis] = true;
      p.source[axis] = argument;
      p.traced[axis] = item.kind == index_kind::traced;
      p.dynamic = p.dynamic || p.traced[axis];
      p.squeeze[p.n_squeeze++] = axis;
      p.sliced.dims[p.sliced.rank++] = 1;
    }
    ++axis;
  };
  for (int i = 0; i < n; ++i) {
    if (items[i].kind == index_kind::newaxis) {
      p.newaxis[p.n_new++] = p.result.rank;
      p.result.dims[p.result.rank++] = 1;
    } else if (items[i].kind == index_kind::ellipsis) {
      for (int k = consumed; k < x.rank; ++k) select(index_item{index_kind::slice});
    } else {
      select(items[i], i);
    }
  }
  while (axis < x.rank) select(index_item{index_kind::slice});
  return p;
}

}  // namespace exprax::detail
