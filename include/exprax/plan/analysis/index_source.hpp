// SPDX-License-Identifier: BSL-1.0
// The sources of the index vectors of a gather or scatter: looks through the concatenations and broadcasts by which batching combines
// their components.
#pragma once

#include <exprax/plan/analysis/context.hpp>

namespace exprax::detail::planning {

// Component q of the index vectors: an element of the value v for each index of the batch axes.
struct index_source {
  int v = 0;
  index_map m;
};
constexpr index_source source_of_index(context const& c, equation_ref const& e, int q) {
  aval const& indices = e.type(1);
  index_source s{c.resolve(e.in(1)), index_map::identity(indices)};
  s.m.of[indices.rank - 1] = {-1, q, 0};
  while (!c.has_buffer(s.v) && c.has_equation(s.v) && !c.p.is_constant(s.v) && !c.is_scalar(s.v)) {
    equation_ref const d = c.def(s.v);
    if (is_affine_movement(d)) {
      s.m = pull(d, s.m);
      s.v = c.resolve(d.in(0));
      continue;
    }
    if (d.e.op != prim::concatenate || !s.m.of[d.param(0)].is_fixed()) break;
    int k = 0;
    for (int& at = s.m.of[d.param(0)].offset; at >= d.type(k).dims[d.param(0)]; ++k) at -= d.type(k).dims[d.param(0)];
    s.v = c.resolve(d.in(k));
  }
  return s;
}

// The scalar that a scatter writes to, or combines with, every element that it updates; or -1.
constexpr int repeated_update(context const& c, equation_ref const& e) {
  int const u = c.resolve(e.in(2)), components = e.type(1).dims[e.type(1).rank - 1];
  if (c.size(u) * components != e.type(1).size() || c.is_scalar(u) || c.has_buffer(u) || !c.has_equation(u)) return -1;
  equation_ref const d = c.def(u);
  if (d.e.op != prim::broadcast_in_dim) return -1;
  int const v = c.resolve(d.in(0));
  return c.is_scalar(v) ? v : -1;
}

}  // namespace exprax::detail::planning
