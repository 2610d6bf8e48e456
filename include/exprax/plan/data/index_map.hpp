// SPDX-License-Identifier: BSL-1.0
// The index of an element of a value as an affine function of the loop index: equations pull a map on their result back to a map on their
// operand.
#pragma once

#include <exprax/primitives/movement/affine.hpp>
#include <exprax/program/program.hpp>

namespace exprax::detail {

// An operand of an elementwise equation: rank 0, or axes of 1 where the result has more.
constexpr index_map pull_broadcast(aval const& operand, aval const& result, index_map const& m) {
  index_map r;
  r.rank = operand.rank;
  for (int i = 0; i < operand.rank; ++i)
    if (operand.dims[i] != 1 || result.dims[i] == 1) r.of[i] = m.of[i];
  return r;
}

// The operand of an affine movement.
constexpr index_map pull(equation_ref const& e, index_map const& m) { return operand_index(e).after(m); }

}  // namespace exprax::detail
