// SPDX-License-Identifier: BSL-1.0
// request: an equation that a rule asks for; rule_facts: what rules know about each primitive.
#pragma once

#include <exprax/passes/rewrite/writer.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

// A wanted equation with one result; types and operands are indices in the new program.
struct request {
  prim op{};
  int type = 0;
  int const* in = nullptr;
  int n_in = 0;
  int const* par = nullptr;
  int n_par = 0;
};

// A scan of the new program, whose stacked results others may read. Operands: what it captures, the carry, the scanned arrays.
struct stacked_scan {
  int length = 0, n_captured = 0, n_carry = 0, block = 0;
  arena<int> operands, results;
};

// What the simplification rules know about each primitive.
struct rule_facts {
  // Elementwise rules inspect operands that these make.
  prim_set seen = {
      prim::neg, prim::sign, prim::floor, prim::ceil, prim::abs, prim::not_, prim::convert_element_type, prim::broadcast_in_dim};
  // Elementwise, and no rule applies unless an operand is a constant, is made by one of `seen`, or equals another.
  prim_set plain = {};

  constexpr rule_facts() {
    for (int p = 0; p < prim_count; ++p)
      plain.has[p] = all_traits.of[p].kind == op_class::elementwise && (all_traits.of[p].arity == 1 || all_traits.of[p].arity == 2);
    for (prim p : {prim::integer_pow, prim::convert_element_type}) plain.has[static_cast<int>(p)] = false;
  }
};
inline constexpr rule_facts facts;

}  // namespace exprax::detail
