// SPDX-License-Identifier: BSL-1.0
// Cumulative reductions in blocks (primitives/reductions/cumulative.hpp): one kernel, which evaluates the operand in packs along the last
// axis.
#pragma once

#include <exprax/plan/kernels/loops.hpp>
#include <exprax/primitives/reductions/cumulative.hpp>

namespace exprax::detail::planning {

// Whether packs along the last axis read memory element by element.
constexpr bool reads_strided(context& c, loop_kernel const& k) {
  bool found = false;
  for_steps(c, k, [&](step const& s) {
    if (!is_load(s.kind)) return;
    std::ptrdiff_t const x = c.out.accesses[s.access].stride[k.rank - 1];
    found = found || s.kind == step_kind::gather || (x != 0 && x != 1 && x != -1);
  });
  return found;
}

constexpr void lower_cumulative(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  aval const& type = e.type(0);
  int const operand = c.resolve(e.in(0));
  index_map const m = index_map::identity(type);
  box_lowering l(c, type.rank, type.dims);
  l.find_cuts(operand, m);
  auto const make_operand_first = [&] {
    make_whole(c, operand, kernels);
    lower_cumulative(c, n, kernels);
  };
  if (l.boxes() > 1) return make_operand_first();  // borders inside the operand
  l.start_box(0);
  l.store(l.value(operand, m), type.type, access_to(c.at[e.e.out].buffer, type, m));
  loop_kernel shape = new_loop(c, type);
  l.finish();
  shape.n_box = 1;
  cumulative_kernel k;
  k.op = e.e.op;
  k.type = type.type;
  k.axis = e.param(0);
  k.reverse = e.param(1) != 0;
  for (int i = shape.rank - 1; i >= 0; --i) {
    if (i == k.axis || shape.dims[i] != 1) continue;
    drop_axis(c, shape, i);
    if (i < k.axis) --k.axis;
  }
  for (int i = shape.rank - 2; i >= 0; --i) {
    if (i == k.axis || i + 1 == k.axis || !can_merge(c, shape, i)) continue;
    merge_axes(c, shape, i);
    if (i < k.axis) --k.axis;
  }
  if (c.has_packs && !c.has_buffer(operand) && !c.p.is_constant(operand) && reads_strided(c, shape)) return make_operand_first();
  k.rank = shape.rank;
  for (int i = 0; i < k.rank; ++i) k.dims[i] = shape.dims[i];
  k.box = shape.box;
  for_steps(c, shape, [&](step& s) {
    if (s.kind == step_kind::store) k.result = s.a, k.out = s.access;
  });
  kernels.push({kernel_kind::cumulative, c.out.cumulatives.push(k), kernel::one_thread});
}

}  // namespace exprax::detail::planning
