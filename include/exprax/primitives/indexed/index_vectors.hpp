// SPDX-License-Identifier: BSL-1.0
// Shared by gather and the scatters: windows of an array x at positions given by index vectors, and the array of windows w (the result of a
// gather, the update of a scatter). An index vector is one row along the last axis of the indices; the other axes of the indices are the
// batch axes, and w has them, in order, among its window axes. Batching axes of x and of the indices correspond (operand_batching_dims,
// start_indices_batching_dims).
#pragma once

#include <string_view>

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>

namespace exprax {

// jax.lax.GatherScatterMode: the treatment of windows that are out of bounds.
enum class index_mode : int {
  clip,              // the window is moved inside
  fill_or_drop,      // a gather reads a fill value, a scatter writes nothing
  promise_in_bounds  // the caller promises there is none; treated as clip
};

constexpr bool is_index_mode(index_mode m) {
  return m == index_mode::clip || m == index_mode::fill_or_drop || m == index_mode::promise_in_bounds;
}
constexpr std::string_view name_of(index_mode m) {
  if (m == index_mode::clip) return "GatherScatterMode.CLIP";
  return m == index_mode::fill_or_drop ? "GatherScatterMode.FILL_OR_DROP" : "GatherScatterMode.PROMISE_IN_BOUNDS";
}

namespace detail {

// Reads parameters one after another; a list is preceded by its length. Missing parameters are 0.
class param_reader {
 public:
  constexpr explicit param_reader(span<int> p) : p_(p) {}
  constexpr int next() { return at_ < p_.size() ? p_[at_++] : missing(); }
  constexpr span<int> part(int n) {
    if (n < 0 || n > p_.size() - at_) return missing(), span<int>{};
    at_ += n;
    return p_.part(at_ - n, n);
  }
  constexpr span<int> list() { return part(next()); }
  constexpr bool complete() const { return ok_ && at_ == p_.size(); }

 private:
  constexpr int missing() {
    ok_ = false;
    return 0;
  }
  span<int> p_;
  int at_ = 0;
  bool ok_ = true;
};

constexpr bool contains(span<int> axes, int axis) { return contains(axes.data(), axes.size(), axis); }
constexpr bool are_axes(span<int> axes, int rank) { return are_axes(axes.data(), axes.size(), rank); }
constexpr bool are_ascending_axes(span<int> axes, int rank) {
  for (int i = 1; i < axes.size(); ++i)
    if (axes[i] <= axes[i - 1]) return false;
  return are_axes(axes, rank);
}

// The roles of axes.
struct index_numbers {
  span<int> window;            // axes of w along windows (offset_dims, update_window_dims)
  span<int> dropped;           // axes of x along which a window has one element, and w no axis
  span<int> to;                // for each component of an index vector, the axis of x that it indexes
  span<int> x_batching, index_batching;

  constexpr bool is_window(int axis_of_w) const { return contains(window, axis_of_w); }
  constexpr bool is_dropped(int axis_of_x) const { return contains(dropped, axis_of_x) || contains(x_batching, axis_of_x); }

  // Whether they fit arrays of these shapes. w: without the sizes of its batch axes, which are those of the indices.
  constexpr bool fit(aval const& x, aval const& indices, int rank_of_w) const {
    int const n_batch = indices.rank - 1;
    if (indices.type != dtype::i32 || n_batch < 0 || rank_of_w != n_batch + window.size()) return false;
    if (indices.dims[n_batch] != to.size() || !are_axes(to, x.rank) || !are_ascending_axes(window, rank_of_w)) return false;
    if (!are_ascending_axes(dropped, x.rank) || !are_ascending_axes(x_batching, x.rank) || !are_axes(index_batching, n_batch)) return false;
    if (window.size() + dropped.size() + x_batching.size() != x.rank || x_batching.size() != index_batching.size()) return false;
    for (int k = 0; k < x_batching.size(); ++k) {
      if (contains(dropped, x_batching[k]) || contains(to, x_batching[k])) return false;
      if (x.dims[x_batching[k]] != indices.dims[index_batching[k]]) return false;
    }
    return true;
  }
};

// The parameters of a gather, but for those of index_numbers; and of a scatter.
struct gather_form : index_numbers {
  index_mode mode = index_mode::clip;
  std::uint64_t fill = 0;
  bool sorted = false, unique = false;
  span<int> sizes;
};
struct scatter_form : index_numbers {
  index_mode mode = index_mode::fill_or_drop;
  bool sorted = false, unique = false;
};

// Iterates over the windows: a walk over the batch axes, and one over a window.
struct index_walk {
  aval batches, window;
  place x_batch, w_batch, x_window, w_window;
  int n_index = 0;
  int limit[max_rank] = {};  // for each component of an index vector, the largest value in bounds
  std::ptrdiff_t step[max_rank] = {};

  constexpr index_walk(index_numbers const& n, aval const& x, aval const& indices, aval const& w)
      : index_walk(n, x, strides(x), indices, w, strides(w)) {}
  // Both may be views of larger arrays.
  constexpr index_walk(index_numbers const& n, aval const& x, strides const& x_of, aval const& indices, aval const& w,
                       strides const& w_of) {
    int extent[max_rank] = {};  // of the window along each axis of x
    for (int i = 0; i < x.rank; ++i) {
      extent[i] = 1;
      if (n.is_dropped(i)) continue;
      int const axis = n.window[window.rank];
      x_window.step[window.rank] = x_of[i];
      w_window.step[window.rank] = w_of[axis];
      extent[i] = window.dims[window.rank++] = w.dims[axis];
    }
    for (int i = 0; i < w.rank; ++i) {
      if (n.is_window(i)) continue;
      w_batch.step[batches.rank] = w_of[i];
      batches.dims[batches.rank] = indices.dims[batches.rank];
      ++batches.rank;
    }
    for (int k = 0; k < n.x_batching.size(); ++k) x_batch.step[n.index_batching[k]] = x_of[n.x_batching[k]];
    n_index = n.to.size();
    for (int q = 0; q < n_index; ++q) {
      limit[q] = x.dims[n.to[q]] - extent[n.to[q]];
      step[q] = x_of[n.to[q]];
    }
  }
  // f(start of the window in x, start in w, whether it is in bounds) for each index vector. With clip a window is moved inside.
  template <class F>
  constexpr void each(std::uint64_t const* indices, index_mode mode, F f) const {
    walk(batches, x_batch, w_batch, [&](std::ptrdiff_t x_at, std::ptrdiff_t w_at) {
      bool inside = true;
      for (int q = 0; q < n_index; ++q) {
        int const index = from_bits<int>(*indices++), moved = index < 0 ? 0 : index > limit[q] ? limit[q] : index;
        inside = inside && (index == moved || mode != index_mode::fill_or_drop);
        x_at += step[q] * moved;
      }
      f(x_at, w_at, inside);
    });
  }
};

constexpr place based_at(std::ptrdiff_t base, place p) {
  p.base = base;
  return p;
}

// Lists in the parameters of an equation that batching creates: axes, each shifted by `by`, behind the batch axis if there is one.
constexpr void push_axes(arena<int>& par, span<int> axes, int by, batch_axis first = not_mapped) {
  par.push(axes.size() + first.is_mapped());
  if (first.is_mapped()) par.push(first.position());
  for (int axis : axes) par.push(axis + by);
}

constexpr arena<int> parameters_of(gather_form const& n) {
  arena<int> par;
  par.push(static_cast<int>(n.mode));
  par.push(static_cast<int>(static_cast<std::uint32_t>(n.fill)));
  par.push(static_cast<int>(static_cast<std::uint32_t>(n.fill >> 32)));
  par.push(n.sorted);
  par.push(n.unique);
  for (int size : n.sizes) par.push(size);
  for (span<int> axes : {n.window, n.dropped, n.to, n.x_batching, n.index_batching}) push_axes(par, axes, 0);
  return par;
}
constexpr arena<int> parameters_of(scatter_form const& n) {
  arena<int> par;
  for (span<int> axes : {n.window, n.dropped, n.to}) push_axes(par, axes, 0);
  par.push(n.sorted);
  par.push(n.unique);
  par.push(static_cast<int>(n.mode));
  for (span<int> axes : {n.x_batching, n.index_batching}) push_axes(par, axes, 0);
  return par;
}

// The starts of a dynamic_slice or dynamic_update_slice, operands from `first` on, as index vectors: i32[rank], or
// i32[size, rank] where one of them has the batch axis (jax._src.lax.slicing._batch_dynamic_slice_indices).
template <class Context>
constexpr int index_vectors(Context& c, equation_ref const& e, int first, bool batched) {
  arena<int> parts;
  int const rows = batched ? c.size() : 1, lead = batched ? 1 : 0, axis = 0;
  aval part(dtype::i32);
  if (batched) part.dims[part.rank++] = rows;
  part.dims[part.rank++] = 1;
  for (int k = first; k < e.n_in(); ++k)
    parts.push(c.broadcast(c.value(e, k), part, c.dim(e, k).is_mapped() ? span<int>{&axis, 1} : span<int>{}));
  if (parts.size() == 1) return parts[0];
  part.dims[lead] = parts.size();
  return c.emit(prim::concatenate, parts, {&lead, 1}, part);
}

}  // namespace detail

}  // namespace exprax
