// SPDX-License-Identifier: BSL-1.0
// An elementwise equation on one row of its operands.
#pragma once

#include <exprax/primitives/batch_axis.hpp>
#include <exprax/program/program.hpp>

namespace exprax::detail {

// in: the axis of each operand that counts rows. They must be the same axis, out, and there must be one; operands without rows have no such
// axis, or one element along it. par: the parameters of the equation on a row.
constexpr bool elementwise_row_rule(equation_ref const& e, span<batch_axis> in, batch_axis& out, arena<int>& par) {
  for (batch_axis const& a : in)
    if (a.is_mapped()) out = a;
  if (!out.is_mapped()) return false;
  for (int k = 0; k < e.n_in(); ++k) {
    aval const& t = e.type(k);
    if (in[k].is_mapped() ? !(in[k] == out) : t.rank > 0 && (t.rank <= out.position() || t.dims[out.position()] != 1)) return false;
  }
  for (int x : e.params()) par.push(x);
  return true;
}

}  // namespace exprax::detail
