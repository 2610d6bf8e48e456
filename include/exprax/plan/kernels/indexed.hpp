// SPDX-License-Identifier: BSL-1.0
// Gathers, and scatters with many index vectors: which memory their kernels read, and the kernels. The components of index vectors are
// read from their sources (index_source.hpp), and the array may be a view.
#pragma once

#include <exprax/plan/kernels/box_lowering.hpp>
#include <exprax/plan/kernels/scalars.hpp>

namespace exprax::detail::planning {

// Indices and updates of one element get a buffer when the kernel is placed.
constexpr void place_indices(context& c, equation_ref const& e, arena<node>& nodes) {
  for_index_sources(c, e, [&](int v) { operand_buffer(c, v, nodes); });
  if (e.e.op == prim::gather) return;
  if (int const number = repeated_update(c, e); number >= 0) operand_buffer(c, number, nodes);
}

// Among the axes from `first` on, drops axes of 1 and merges axes that all accesses walk as one. Returns how many are left.
constexpr int merge_axes(context& c, indexed_kernel& k, int first, int end) {
  auto const remove = [&](int axis) {
    for (int i = axis; i + 1 < k.rank; ++i) {
      k.dims[i] = k.dims[i + 1];
      k.x[i] = k.x[i + 1];
      k.w[i] = k.w[i + 1];
    }
    for (int q = 0; q < k.n_index && axis < k.batch; ++q) {
      access& a = c.out.accesses[k.index + q];
      for (int i = axis; i + 1 < max_rank; ++i) a.stride[i] = a.stride[i + 1];
    }
    --k.rank;
    --end;
  };
  for (int axis = end - 1; axis >= first; --axis)
    if (k.dims[axis] == 1) remove(axis);
  for (int axis = end - 2; axis >= first; --axis) {
    int const n = k.dims[axis + 1];
    bool merges = k.x[axis] == k.x[axis + 1] * n && k.w[axis] == k.w[axis + 1] * n;
    for (int q = 0; q < k.n_index && axis < k.batch; ++q) {
      access const& a = c.out.accesses[k.index + q];
      merges = merges && a.stride[axis] == a.stride[axis + 1] * n;
    }
    if (!merges) continue;
    k.dims[axis + 1] *= k.dims[axis];
    remove(axis);
  }
  return end - first;
}

// x: the array that e indexes; w: the windows, in the buffer w_buffer with strides w_of.
constexpr void lower_indexed(context& c, equation_ref const& e, index_numbers const& n, index_mode mode, std::uint64_t fill,
                             array_view const& x, aval const& w, strides const& w_of, int w_buffer, arena<kernel>& kernels) {
  index_walk const walk(n, e.type(0), x.of, e.type(1), w, w_of);
  indexed_kernel k;
  k.op = e.e.op;
  k.type = w.type;
  k.drops = mode == index_mode::fill_or_drop;
  k.fill = fill;
  k.x_buffer = x.buffer;
  k.x_base = x.base;
  k.w_buffer = w_buffer;
  auto const add_axes = [&](aval const& shape, place const& in_x, place const& in_w) {
    for (int i = 0; i < shape.rank; ++i) {
      k.dims[k.rank] = shape.dims[i];
      k.x[k.rank] = in_x.step[i];
      k.w[k.rank++] = in_w.step[i];
    }
  };
  add_axes(walk.batches, walk.x_batch, walk.w_batch);
  k.batch = k.rank;
  add_axes(walk.window, walk.x_window, walk.w_window);
  arena<access> components;
  for (int q = 0; q < walk.n_index; ++q) {
    if (walk.limit[q] == 0 && !k.drops) continue;  // only one index is possible
    index_source const s = source_of_index(c, e, q);
    if (c.p.is_constant(s.v) && c.is_scalar(s.v)) {
      std::int64_t const at = static_cast<std::int64_t>(c.p.bits(s.v)), inside = at < 0 ? 0 : at > walk.limit[q] ? walk.limit[q] : at;
      if (at == inside || !k.drops) {
        k.x_base += static_cast<std::ptrdiff_t>(inside) * walk.step[q];
        continue;
      }
    }
    components.push(access_to(c.operand_buffer(s.v), c.p.type(s.v), s.m));
    k.limit[k.n_index] = walk.limit[q];
    k.index_stride[k.n_index++] = walk.step[q];
  }
  k.index = c.out.accesses.size();
  for (access const& a : components) c.out.accesses.push(a);
  merge_axes(c, k, k.batch, k.rank);
  k.batch = merge_axes(c, k, 0, k.batch);
  kernels.push({e.e.op == prim::gather ? kernel_kind::gather : kernel_kind::scatter, c.out.indexed.push(k), kernel::one_thread});
}
constexpr void lower_gather(context& c, equation_ref const& e, arena<kernel>& kernels) {
  gather_numbers const n(e);
  lower_indexed(c, e, n, n.mode, n.fill, array_view_of(c, e.in(0)), e.out_type(0), strides(e.out_type(0)), c.at[e.e.out].buffer, kernels);
}
// Updates the buffer of the result, which already holds the operand.
constexpr void lower_batched_scatter(context& c, equation_ref const& e, arena<kernel>& kernels) {
  scatter_numbers const n(e);
  int const number = repeated_update(c, e);
  strides of(e.type(2));
  for (int i = 0; i < e.type(2).rank && number >= 0; ++i) of.of[i] = 0;
  int const update = c.operand_buffer(number >= 0 ? number : e.in(2));
  lower_indexed(c, e, n, n.mode, 0, {c.at[e.e.out].buffer, 0, strides(e.type(0))}, e.type(2), of, update, kernels);
}

}  // namespace exprax::detail::planning
