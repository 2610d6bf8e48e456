// SPDX-License-Identifier: BSL-1.0
// Updates: a value is stored into a region of a buffer; and dynamic_slice, which loads from one.
#pragma once

#include <exprax/plan/loops.hpp>
#include <exprax/primitives/scatter_family.hpp>

namespace exprax::detail::planning {

constexpr void add_term(context& c, int v, int limit, std::ptrdiff_t stride, access& a) {
  v = c.resolve(v);
  if (c.p.is_constant(v)) {
    std::int64_t at = static_cast<std::int64_t>(c.p.bits(v));
    at = at < 0 ? 0 : at > limit ? limit : at;
    a.base += at * stride;
    return;
  }
  c.out.terms.push({c.at[v].buffer, limit, stride, 0});
  ++a.n_term;
}

// JAX's scatter with one index vector: a window of the operand, dropped whole when it does not fit.
constexpr void dynamic_region(context& c, equation_ref const& e, aval const& whole, aval const& update, strides const& weight, access& region, loop_kernel& k) {
  scatter_numbers const s(e);
  int window = 0;
  int extent[max_rank] = {};
  for (int i = 0; i < whole.rank; ++i) {
    extent[i] = 1;
    if (s.is_inserted(i)) continue;
    int const u = s.update_window_dims[window++];
    extent[i] = update.dims[u];
    region.stride[u] = weight[i];
  }
  // The index vector stands in memory; its components are one-element views of it.
  int const indices = c.operand_buffer(e.in(1));
  region.term = k.guard = c.out.terms.size();
  for (int q = 0; q < s.operand_dims.size(); ++q) {
    int const i = s.operand_dims[q];
    c.out.terms.push({indices, whole.dims[i] - extent[i], weight[i], q});
    ++region.n_term;
    ++k.n_guard;
  }
}

// With an index vector for each element of the leading axes.
constexpr void lower_batched_scatter(context& c, equation_ref const& e, arena<kernel>& kernels) {
  scatter_numbers const s(e);
  aval const &whole = e.out_type(0), &update = e.type(2);
  strides const weight(whole), update_weight(update);
  scatter_kernel k;
  k.op = e.e.op;
  k.type = whole.type;
  auto add_axis = [&](int n, int axis, int update_axis) {
    k.dims[k.rank] = n;
    k.out[k.rank] = weight[axis];
    k.update[k.rank++] = update_weight[update_axis];
  };
  for (int u = 0; u < update.rank; ++u)
    if (!s.is_window(u)) add_axis(update.dims[u], k.batch, u), ++k.batch;
  int extent[max_rank] = {};
  for (int i = 0; i < whole.rank; ++i) {
    extent[i] = 1;
    if (s.is_inserted(i)) continue;
    int const u = s.update_window_dims[k.rank - k.batch];
    extent[i] = update.dims[u];
    add_axis(update.dims[u], i, u);
  }
  k.n_index = s.operand_dims.size();
  for (int q = 0; q < k.n_index; ++q) {
    int const i = s.operand_dims[q];
    k.limit[q] = whole.dims[i] - extent[i];
    k.index_stride[q] = weight[i];
  }
  k.out_buffer = c.at[e.e.out].buffer;
  k.indices_buffer = c.operand_buffer(e.in(1));
  k.update_buffer = c.operand_buffer(e.in(2));
  kernels.push({kernel_kind::scatter, c.out.scatters.push(k)});
}

constexpr void lower_dynamic_slice(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  int u = c.resolve(e.in(0));
  aval const type = c.p.type(u);
  index_map m = index_map::identity(n.shape);
  for (int i = 0; i < n.shape.rank; ++i)
    if (n.shape.dims[i] == 1) m.of[i] = {};
  // the operand may be an affine view of a buffer: find what one step along each of its axes means
  std::ptrdiff_t per[max_rank] = {};
  index_map step_of[max_rank];
  for (int i = 0; i < type.rank; ++i) {
    step_of[i] = m;
    step_of[i].of[i].offset += 1;
  }
  while (c.at[u].buffer < 0 && !c.p.is_constant(u)) {
    equation_ref const d = c.eq(c.at[u].def);
    m = pull(d, m);
    for (int i = 0; i < type.rank; ++i) step_of[i] = pull(d, step_of[i]);
    u = c.resolve(d.in(0));
  }
  if (c.p.is_constant(u)) c.constant_buffer(u);
  access a = box_lowering::access_of(c.at[u].buffer, c.p.type(u), m);
  for (int i = 0; i < type.rank; ++i) per[i] = box_lowering::access_of(c.at[u].buffer, c.p.type(u), step_of[i]).base - a.base;
  a.term = c.out.terms.size();
  for (int i = 0; i < type.rank; ++i)
    if (type.dims[i] > n.shape.dims[i]) add_term(c, e.in(1 + i), type.dims[i] - n.shape.dims[i], per[i], a);
  simple_loop(c, n.shape, kernels, [&](box_lowering& l, index_map const& id) {
    l.store(l.load(n.shape.type, a), n.shape.type, box_lowering::access_of(c.at[e.e.out].buffer, n.shape, id));
  });
}

// Fill with the padding value, then store the operand at its strides.
constexpr void lower_interior_pad(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  int const buffer = c.at[e.e.out].buffer;
  aval const whole = n.shape;
  simple_loop(c, whole, kernels, [&](box_lowering& l, index_map const& m) {
    l.store(l.value(e.in(1), {}), whole.type, box_lowering::access_of(buffer, whole, m));
  });
  aval region = c.p.type(e.in(0));
  strides const weight(whole);
  access to{};
  to.buffer = buffer;
  index_map m;
  m.rank = region.rank;
  for (int i = 0; i < whole.rank; ++i) {
    int const low = e.param(i), step = e.param(2 * whole.rank + i) + 1;
    int first = low >= 0 ? 0 : (-low + step - 1) / step;
    int last = region.dims[i] - 1;  // the last that fits
    while (last >= first && low + last * step >= whole.dims[i]) --last;
    to.base += weight[i] * (low + first * step);
    to.stride[i] = weight[i] * step;
    m.of[i] = {i, first, 1};
    region.dims[i] = last - first + 1;
  }
  if (region.size() <= 0) return;
  loop_kernel k = new_loop(c, region);
  box_lowering l(c, k.rank, k.dims);
  l.find_cuts(e.in(0), m);
  for (int b = 0; b < l.boxes(); ++b) {
    l.start_box(b);
    l.store(l.value(e.in(0), m), whole.type, to);
    l.finish();
    ++k.n_box;
  }
  push_loop(c, k, kernels);
}

// Stores a value into a region of a buffer: updates, interior pads; and dynamic_slice, which loads from one.
constexpr void lower_update(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  int const v = e.e.out;
  if (e.e.op == prim::pad) return lower_interior_pad(c, n, kernels);
  if (e.e.op == prim::dynamic_slice) return lower_dynamic_slice(c, n, kernels);
  aval const& whole = e.out_type(0);
  int const w = e.in(update_operand(e));
  aval const update = c.p.type(w);
  if (update.size() == 0) return;
  if (is_batched_scatter(e)) return lower_batched_scatter(c, e, kernels);
  strides const weight(whole);
  loop_kernel k = new_loop(c, update);
  index_map const m = index_map::identity(update);
  access region{};
  region.buffer = c.at[v].buffer;
  if (e.e.op == prim::dynamic_update_slice) {
    region.term = c.out.terms.size();
    for (int i = 0; i < whole.rank; ++i) {
      region.stride[i] = weight[i];
      int const limit = whole.dims[i] - update.dims[i];
      if (limit > 0) add_term(c, e.in(2 + i), limit, weight[i], region);
    }
  } else if (e.param(0) == 0) {
    for (int i = 0; i < whole.rank; ++i) {
      region.base += weight[i] * e.param(1 + i);
      region.stride[i] = weight[i] * e.param(1 + whole.rank + i);
    }
  } else {
    dynamic_region(c, e, whole, update, weight, region, k);
  }
  box_lowering l(c, k.rank, k.dims);
  l.find_cuts(w, m);
  for (int b = 0; b < l.boxes(); ++b) {
    l.start_box(b);
    int reg = l.value(w, m);
    if (e.e.op != prim::scatter && e.e.op != prim::dynamic_update_slice)
      reg = l.compute(combiner(e.e.op), whole.type, whole.type, l.load(whole.type, region), reg);
    l.store(reg, whole.type, region);
    l.finish();
    ++k.n_box;
  }
  push_loop(c, k, kernels);
}

}  // namespace exprax::detail::planning
