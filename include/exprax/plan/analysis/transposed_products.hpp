// SPDX-License-Identifier: BSL-1.0
// Products whose only use is a transpose, as in matmul(matrix, batch of matrices): they are stored as the transpose has them.
#pragma once

#include <exprax/plan/analysis/context.hpp>
#include <exprax/primitives/contractions/dot_general.hpp>

namespace exprax::detail::planning {

// Whether the last two axes of the product are the neighbours in one operand that its packs walk as one axis.
constexpr bool walks_last_axes_as_one(equation_ref const& product) {
  dot_numbers const d(product.params());
  bool const of_rhs = product.type(1).rank > d.rhs_contract.size() + d.rhs_batch.size();
  aval const& t = product.type(of_rhs ? 1 : 0);
  auto const is_free = [&](int axis) { return of_rhs ? d.rhs_is_free(axis) : d.lhs_is_free(axis); };
  int last = t.rank - 1;
  while (last > 0 && !is_free(last)) --last;
  return last > 0 && is_free(last - 1);
}
// Whether the axes of the operand change places, and nothing else.
constexpr bool is_transpose(equation_ref const& e) {
  if (!is_affine_movement(e) || e.type(0).rank != e.out_type(0).rank) return false;
  index_map const m = operand_index(e);
  for (int i = 0; i < m.rank; ++i) {
    axis_map const& at = m.of[i];
    if (at.is_fixed() || at.offset != 0 || at.scale != 1 || e.type(0).dims[i] != e.out_type(0).dims[at.axis]) return false;
  }
  return m.rank > 1;
}
// Whether packs of the product are stored where the transpose has them, and are as long.
constexpr bool keeps_packs(equation_ref const& product, equation_ref const& transpose) {
  index_map const m = operand_index(transpose);
  int const last = m.rank - 1;
  return m.of[last].axis == last && (m.of[last - 1].axis == last - 1 || !walks_last_axes_as_one(product));
}

// The transpose in whose layout v, the result of a product, is stored; -1: in its own.
constexpr int layout_of_product(context const& c, int v) {
  int const i = c.info[v].last_use;
  if (c.info[v].uses != 1 || i >= c.p.n.eqns) return -1;
  equation_ref const e = c.eq(i);
  bool const is_whole = e.n_in() == 1 && c.resolve(e.in(0)) == v && c.at[e.e.out].buffer == c.at[v].buffer;
  return is_whole && is_transpose(e) ? i : -1;
}
// The strides of v along its own axes.
constexpr strides strides_of_product(context const& c, int v) {
  int const i = layout_of_product(c, v);
  if (i < 0) return strides(c.p.type(v));
  equation_ref const e = c.eq(i);
  index_map const m = operand_index(e);
  strides const of(e.out_type(0));
  strides made = of;
  for (int axis = 0; axis < m.rank; ++axis) made.of[axis] = of[m.of[axis].axis];
  return made;
}

}  // namespace exprax::detail::planning
