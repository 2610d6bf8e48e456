// SPDX-License-Identifier: BSL-1.0
// Cumulative reductions in blocks (primitives/reductions/cumulative.hpp): one kernel, which evaluates the operand in packs along the axis.
#pragma once

#include <exprax/plan/kernels/loops.hpp>
#include <exprax/primitives/reductions/cumulative.hpp>

namespace exprax::detail::planning {

constexpr void lower_cumulative(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  aval const& type = e.type(0);
  int const axis = e.param(0);
  // The axis comes last.
  index_map m;
  m.rank = type.rank;
  aval domain(type.type);
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < type.rank; ++i) {
      if ((i == axis) != (pass == 1)) continue;
      if (type.dims[i] != 1) m.of[i] = {domain.rank, 0, 1};
      domain.dims[domain.rank++] = type.dims[i];
    }
  box_lowering l(c, domain.rank, domain.dims);
  l.find_cuts(e.in(0), m);
  if (l.boxes() > 1) {
    // borders inside the operand: make it first
    make_whole(c, c.resolve(e.in(0)), kernels);
    return lower_cumulative(c, n, kernels);
  }
  l.start_box(0);
  l.store(l.value(e.in(0), m), type.type, box_lowering::access_of(c.at[e.e.out].buffer, type, m));
  loop_kernel shape = new_loop(c, domain);
  l.finish();
  shape.n_box = 1;
  for (int i = shape.rank - 2; i >= 0; --i)
    if (shape.dims[i] == 1) drop_axis(c, shape, i);
  for (int i = shape.rank - 3; i >= 0; --i)
    if (can_merge(c, shape, i)) merge_axes(c, shape, i);
  cumulative_kernel k;
  k.op = e.e.op;
  k.type = type.type;
  k.reverse = e.param(1) != 0;
  k.rank = shape.rank;
  for (int i = 0; i < k.rank; ++i) k.dims[i] = shape.dims[i];
  k.box = shape.box;
  for_steps(c, shape, [&](step& s) {
    if (s.kind == step_kind::store) k.result = s.a, k.out = s.access;
  });
  kernels.push({kernel_kind::cumulative, c.out.cumulatives.push(k), kernel::one_thread});
}

}  // namespace exprax::detail::planning
