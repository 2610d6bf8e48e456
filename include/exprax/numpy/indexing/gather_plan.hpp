// SPDX-License-Identifier: BSL-1.0
// Indices as a gather or scatter, decided from types alone (jax._src.numpy.indexing._index_to_gather): which components an index
// vector has, what they are broadcast to, and the dimension numbers. Several arrays of indices are broadcast together; their axes
// stand where the first of them stood, or in front if something else stands between them (NumPy's advanced indexing).
#pragma once

#include <exprax/numpy/indexing/gather_numbers.hpp>
#include <exprax/numpy/indexing/index_plan.hpp>
#include <exprax/types/shape.hpp>

namespace exprax::detail {

// Where the values of a component of the index vectors come from.
enum class component_kind : std::uint8_t {
  index,       // an argument
  array,       // an argument that is broadcast together with other arrays of indices
  start,       // of a slice
  positions    // of the elements of a slice
};
// One component of the index vectors, and the axis of the batch shape at which its own axes begin.
struct index_component {
  component_kind kind = component_kind::index;
  int axis = 0;  // of what is indexed
  int at = 0;
  int argument = 0;
  int start = 0, step = 1, count = 0;  // of a slice

  constexpr bool is_argument() const { return kind == component_kind::index || kind == component_kind::array; }
};

struct gather_plan {
  bool valid = true, broadcasts = true, in_range = true;
  bool advanced = false;
  aval together;              // the shape to which arrays of indices are broadcast
  aval batch;                 // the shape of the index vectors, without the last axis
  index_component components[max_rank] = {};
  gather_dimension_numbers numbers;
  dimension_list sizes, newaxis, reversed;
  aval windows;               // what is gathered, or scattered
  aval result;                // the same with axes of newaxis
};

constexpr bool is_advanced(index_kind k) { return k == index_kind::integer || k == index_kind::traced || k == index_kind::array; }

// p: of the same items, which it found to be valid.
constexpr gather_plan plan_gather(aval const& x, index_item const* given, int n) {
  gather_plan g;
  int items[2 * max_rank] = {}, count = 0, consumed = 0;  // positions in given, or -1: a whole axis
  int first = -1, last = -1, of_kind = 0;
  for (int i = 0; i < n; ++i) {
    consumed += given[i].kind != index_kind::newaxis && given[i].kind != index_kind::ellipsis;
    g.advanced = g.advanced || given[i].kind == index_kind::array;
    if (!is_advanced(given[i].kind)) continue;
    if (first < 0) first = i;
    last = i;
    ++of_kind;
  }
  bool const contiguous = of_kind == last - first + 1;
  auto const put = [&](int i) {
    if (count < 2 * max_rank) items[count++] = i;
    else g.valid = false;
  };
  bool dots = false;
  for (int i = 0; i < n; ++i) {
    if (given[i].kind != index_kind::ellipsis) {
      put(i);
      continue;
    }
    dots = true;
    for (int k = consumed; k < x.rank; ++k) put(-1);
  }
  for (int k = consumed; k < x.rank && !dots; ++k) put(-1);

  g.together = aval(dtype::i32);
  for (int i = 0; i < n && g.advanced; ++i) {
    if (given[i].kind != index_kind::array) continue;
    broadcast_result const r = broadcast(g.together, given[i].array);
    g.broadcasts = g.broadcasts && r.fits;
    g.together = r.shape;
  }
  if (!g.broadcasts) return g;

  int collapsed[max_rank] = {}, n_collapsed = 0, x_axis = 0, y_axis = 0, all_y = 0;
  g.batch = aval(dtype::i32);
  g.windows = g.result = aval(x.type, x.weak);
  auto const append = [&](aval& to, int size) {
    if (to.rank < max_rank) to.dims[to.rank++] = size;
    else g.valid = false;
  };
  auto const both = [&](int size) {
    append(g.windows, size);
    append(g.result, size);
    ++y_axis;
    ++all_y;
  };
  auto const add = [&](index_component const& c) {
    g.components[g.numbers.start_index_map.n] = c;
    g.numbers.start_index_map.push(c.axis);
  };
  bool placed = !g.advanced;
  for (int k = 0; k < count; ++k) {
    bool const whole = items[k] < 0;
    index_item const item = whole ? index_item{index_kind::slice} : given[items[k]];
    bool const selects = is_advanced(item.kind);
    if (!placed && (contiguous ? selects : k == 0)) {
      placed = true;
      int axis = 0;
      for (int j = 0; j < count; ++j) {
        index_kind const kind = items[j] < 0 ? index_kind::slice : given[items[j]].kind;
        if (is_advanced(kind)) {
          add({component_kind::array, axis, g.batch.rank, items[j]});
          collapsed[n_collapsed++] = axis;
        }
        axis += kind != index_kind::newaxis;
      }
      for (int j = 0; j < g.together.rank; ++j) {
        append(g.batch, g.together.dims[j]);
        both(g.together.dims[j]);
      }
    }
    if (item.kind == index_kind::newaxis) {
      g.newaxis.push(all_y++);
      append(g.result, 1);
      continue;
    }
    if (selects) {
      g.in_range = g.in_range && x.dims[x_axis] > 0;
      if (!g.advanced) {
        add({component_kind::index, x_axis, g.batch.rank, items[k]});
        collapsed[n_collapsed++] = x_axis;
      }
      g.sizes.push(1);
      ++x_axis;
      continue;
    }
    axis_range const r = range_of(item, x.dims[x_axis]);
    int const size = r.size();
    if (item.step == 1) {
      if (!r.whole(x.dims[x_axis])) add({component_kind::start, x_axis, g.batch.rank, 0, r.start});
      g.sizes.push(size);
      g.numbers.offset_dims.push(y_axis);
    } else {
      if (item.step < 0) g.reversed.push(y_axis);
      add({component_kind::positions, x_axis, g.batch.rank, 0, r.start, r.stride, size});
      append(g.batch, size);
      collapsed[n_collapsed++] = x_axis;
      g.sizes.push(1);
    }
    both(size);
    ++x_axis;
  }
  for (int i = 0; i < x.rank; ++i)
    for (int k = 0; k < n_collapsed; ++k)
      if (collapsed[k] == i) g.numbers.collapsed_slice_dims.push(i);
  if (g.batch.rank >= max_rank) g.valid = false;
  return g;
}

}  // namespace exprax::detail
