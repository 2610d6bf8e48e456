// SPDX-License-Identifier: BSL-1.0
// control_signature: how an equation with blocks calls them. Each control primitive states its own; signature_of
// (primitives/control/signatures.hpp) reads that of any equation, and nobody else decodes parameters that count operands.
//
// Operands, in order: the predicate, if one chooses the block; the consts of each block; the carry; the elements. An input of a block
// is one of these:
//   predicate  chooses the block that is called
//   constant   the same in every call
//   carry      what the call before returned, and at first the operand
//   element    a row of the operand, another one in every call
// Results: the last carry, then what calls make besides.
#pragma once

#include <exprax/primitives/primitive.hpp>

namespace exprax {

enum class operand_role : std::uint8_t { predicate, constant, carry, element };

struct control_signature {
  bool chooses = false;        // operand 0 is a predicate: one of the blocks is called. Else all are, the last one again and again
                               // if something is carried
  bool has_condition = false;  // block 0 tells whether the other one is called again
  int first_const[2] = {};     // the operands that block 0 alone, and the other blocks, take first
  int n_const[2] = {};
  int first_carry = 0;
  int n_carry = 0;

  constexpr int consts_of(int block) const { return n_const[block > 0]; }
  // The operand that input i of a block takes, and the input that takes operand k; -1: none.
  constexpr int operand_of(int block, int i) const {
    return i < consts_of(block) ? first_const[block > 0] + i : first_carry + i - consts_of(block);
  }
  constexpr int input_of(int block, int k) const {
    if (k >= first_carry) return consts_of(block) + k - first_carry;
    int const i = k - first_const[block > 0];
    return i >= 0 && i < consts_of(block) ? i : -1;
  }
  constexpr int first_element() const { return first_carry + n_carry; }
  constexpr operand_role role_of(int k) const {
    if (chooses && k == 0) return operand_role::predicate;
    return k < first_carry ? operand_role::constant : k < first_element() ? operand_role::carry : operand_role::element;
  }
  constexpr bool is_carry(int result) const { return result < n_carry; }
};

}  // namespace exprax
