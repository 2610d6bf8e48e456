// SPDX-License-Identifier: BSL-1.0
// Matrices of float16 or bfloat16 that a product with a vector reads once: it may decode their elements as it loads them.
#pragma once

#include <exprax/plan/analysis/context.hpp>

namespace exprax::detail::planning {

constexpr bool is_decoding(prim op) { return op == prim::decode_float16 || op == prim::decode_bfloat16; }

// Whether operand k is a matrix and the other one a vector, in a product with one contracting axis.
constexpr bool is_matrix_beside_vector(equation_ref const& e, int k) {
  return e.e.op == prim::dot_general && e.param(0) == 1 && e.param(3) == 0 && e.type(k).rank == 2 && e.type(1 - k).rank == 1;
}

}  // namespace exprax::detail::planning
