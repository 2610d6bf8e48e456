// SPDX-License-Identifier: BSL-1.0
// The primitive nonzero: one kernel that evaluates the mask and writes all results and fill values, without scratch memory.
#pragma once

#include <exprax/plan/kernels/loops.hpp>
#include <exprax/plan/kernels/place.hpp>
#include <exprax/primitives/indexed/nonzero.hpp>

namespace exprax::detail::planning {

constexpr void place_nonzero(context& c, int i, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  for (int k = 0; k < e.n_out(); ++k)
    if (int const v = e.e.out + k; !c.has_buffer(v)) c.at[v].buffer = c.new_scratch(e.out_type(k));
  if (c.size(e.e.out) == 0) return;
  for (int k = 0; k < e.n_in(); ++k)
    if (int const u = c.resolve(e.in(k)); c.is_in_slot(u)) buffer_of_scalar(c, u, nodes);
  node n;
  n.kind = node_kind::nonzero;
  n.eqn = i;
  n.shape = e.type(0);
  int const ready = nodes.push(n) + 1;
  for (int k = 0; k < e.n_out(); ++k) c.info[e.e.out + k].ready = c.info[e.e.out + k].ready_moved = ready;
}

constexpr void lower_nonzero(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  using rules = primitive<prim::nonzero>;
  aval const& type = e.type(0);
  index_map const m = index_map::identity(type);
  box_lowering l(c, type.rank, type.dims);
  l.find_cuts(e.in(0), m);
  if (l.boxes() > 1) {
    // borders inside the mask: make it first
    make_whole(c, c.resolve(e.in(0)), kernels);
    return lower_nonzero(c, n, kernels);
  }
  nonzero_kernel k;
  k.type = rules::type(e);
  k.batch = rules::batch_rank(e);
  k.rank = type.rank;
  for (int i = 0; i < type.rank; ++i) k.dims[i] = type.dims[i];
  k.size = rules::size(e);
  k.fills = rules::has_fill(e);
  k.table = c.out.tables.size();
  for (int i = 0; i < e.n_out(); ++i) c.out.tables.push(c.at[e.e.out + i].buffer);
  for (int i = 1; i < e.n_in(); ++i) c.out.tables.push(c.operand_buffer(e.in(i)));
  // The store is not run: it only says which slot holds the value.
  access nowhere{};
  nowhere.buffer = c.at[e.e.out].buffer;
  l.start_box(0);
  l.store(l.value(e.in(0), m), dtype::b1, nowhere);
  k.box = c.out.boxes.size();
  l.finish();
  box const& b = c.out.boxes[k.box];
  for (int s = b.step; s < b.step + b.n_step; ++s)
    if (c.out.steps[s].kind == step_kind::store) k.result = c.out.steps[s].a;
  kernels.push({kernel_kind::nonzero, c.out.nonzeros.push(k), kernel::one_thread});
}

}  // namespace exprax::detail::planning
