// SPDX-License-Identifier: BSL-1.0
// Updates, which store a value into a region of a buffer, and reads from a region: dynamic_slice and gather.
#pragma once

#include <exprax/passes/strided_updates.hpp>
#include <exprax/plan/kernels/indexed.hpp>
#include <exprax/plan/kernels/loops.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

constexpr void add_term(context& c, int v, int limit, std::ptrdiff_t stride, access& a) {
  v = c.resolve(v);
  if (c.p.is_constant(v)) {
    std::int64_t at = static_cast<std::int64_t>(c.p.bits(v));
    at = at < 0 ? 0 : at > limit ? limit : at;
    a.base += static_cast<std::ptrdiff_t>(at) * stride;
    return;
  }
  c.out.terms.push(element_term(c.at[v].buffer, limit, stride, 0));
  ++a.n_term;
}

// JAX's scatter with one index vector: a window of the operand, dropped as a whole if it is out of bounds.
constexpr void dynamic_region(context& c, equation_ref const& e, aval const& whole, aval const& update, strides const& weight,
                              access& region, loop_kernel& k) {
  scatter_numbers const s(e);
  int window = 0;
  int extent[max_rank] = {};
  for (int i = 0; i < whole.rank; ++i) {
    extent[i] = 1;
    if (s.is_dropped(i)) continue;
    int const u = s.window[window++];
    extent[i] = update.dims[u];
    region.stride[u] = weight[i];
  }
  // The index vector is in memory; its components are one-element views of it.
  int const indices = c.operand_buffer(e.in(1));
  region.term = k.guard = c.out.terms.size();
  for (int q = 0; q < s.to.size(); ++q) {
    int const i = s.to[q];
    c.out.terms.push(element_term(indices, whole.dims[i] - extent[i], weight[i], q));
    ++region.n_term;
    ++k.n_guard;
  }
}

constexpr void lower_dynamic_slice(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  aval const type = e.type(0);
  array_view const x = array_view_of(c, e.in(0));
  access a{};
  a.buffer = x.buffer;
  a.base = x.base;
  for (int i = 0; i < type.rank; ++i) a.stride[i] = x.of[i];
  a.term = c.out.terms.size();
  for (int i = 0; i < type.rank; ++i)
    if (type.dims[i] > n.shape.dims[i]) add_term(c, e.in(1 + i), type.dims[i] - n.shape.dims[i], x.of[i], a);
  simple_loop(c, n.shape, kernels, [&](box_lowering& l, index_map const& id) {
    l.store(l.load(n.shape.type, a), n.shape.type, access_to(c.at[e.e.out].buffer, n.shape, id));
  });
}

// Fill with the padding value, then store the operand at its strides.
constexpr void lower_interior_pad(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  int const buffer = c.at[e.e.out].buffer;
  aval const whole = n.shape;
  simple_loop(c, whole, kernels, [&](box_lowering& l, index_map const& m) {
    l.store(l.value(e.in(1), {}), whole.type, access_to(buffer, whole, m));
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
    int last = region.dims[i] - 1;  // the last in bounds
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

// The step of an update whose rows packs walk as a whole, if its last bits tell what is stored; else 1.
constexpr int row_step(context const& c, equation_ref const& e) {
  int const step = c.has_packs ? strided_update_finder::step_along_rows(c.p, e.e) : 1;
  return step == 2 || step == 4 ? step : 1;
}

// Updates and interior pads, which store into a region of a buffer, and reads from one.
constexpr void lower_update(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  int const v = e.e.out;
  switch (e.e.op) {
    case prim::pad: return lower_interior_pad(c, n, kernels);
    case prim::dynamic_slice: return lower_dynamic_slice(c, n, kernels);
    case prim::gather: return lower_gather(c, e, kernels);
    default: break;
  }
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
  } else if (is_static_update(e.e.op)) {
    updated_slice const s(e);
    for (int i = 0; i < whole.rank; ++i) {
      region.base += weight[i] * s.start[i];
      region.stride[i] = weight[i] * s.step[i];
    }
  } else {
    dynamic_region(c, e, whole, update, weight, region, k);
  }
  box_lowering l(c, k.rank, k.dims);
  l.find_cuts(w, m);
  for (int b = 0; b < l.boxes(); ++b) {
    l.start_box(b);
    int reg = l.value(w, m);
    if (!replaces_elements(e.e.op))
      reg = l.compute(traits_of(e.e.op).combiner, whole.type, whole.type, l.load(whole.type, region), reg);
    l.store(reg, whole.type, region);
    if (int const step = row_step(c, e); step > 1 && l.boxes() == 1 && l.walk_whole_rows(step, strided_update_finder::most_work))
      k.dims[k.rank - 1] = (k.dims[k.rank - 1] - 1) * step + 1;
    l.finish();
    ++k.n_box;
  }
  push_loop(c, k, kernels);
}

}  // namespace exprax::detail::planning
