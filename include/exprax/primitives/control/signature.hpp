// SPDX-License-Identifier: BSL-1.0
// control_signature: how an equation with blocks calls them. Each control primitive defines its own; signature_of
// (primitives/control/signatures.hpp) returns that of any equation. No other code decodes the parameters that count operands.
//
// Operands, in order: the predicate, if one chooses the block; the consts of each block; the carry; the elements. The roles of block
// inputs:
//   predicate  chooses the block that is called
//   constant   the same in every call
//   carry      the operand in the first call, then the result of the previous call
//   element    a row of the operand, a different one in each call
// Results: the last carry, then the other results of the calls.
#pragma once

#include <exprax/primitives/primitive.hpp>

namespace exprax {

namespace detail {

// A copy of the parameters, to be changed.
constexpr arena<int> parameters_of(equation_ref const& e) {
  arena<int> par;
  for (int x : e.params()) par.push(x);
  return par;
}

// Types of the results of an equation that calls block 0 on all its operands.
constexpr bool infer_call(equation_ref const& e, aval* out) {
  struct block const& b = e.sub(0);
  if (b.n_in != e.n_in()) return false;
  for (int k = 0; k < b.n_in; ++k)
    if (!e.p.type(e.p.ins(b)[k]).matches(e.type(k))) return false;
  for (int k = 0; k < b.n_out; ++k) out[k] = e.p.type(e.p.outs(b)[k]);
  return true;
}
// Interprets one call of b, on the operands from number first on; its outputs are the results.
template <class Machine>
constexpr void evaluate_call(Machine& m, equation_ref const& e, struct block const& b, int first) {
  for (int k = 0; k < b.n_in; ++k) m.bind(b, k, m.in(e, first + k));
  m.run(b);
  for (int k = 0; k < b.n_out; ++k) {
    std::ptrdiff_t const n = e.out_type(k).size();
    for (std::ptrdiff_t i = 0; i < n; ++i) m.out(e, k)[i] = m.result(b, k)[i];
  }
}

}  // namespace detail

enum class operand_role : std::uint8_t { predicate, constant, carry, element };

struct control_signature {
  bool chooses = false;        // operand 0 is a predicate: one of the blocks is called. Otherwise all are, the last one repeatedly
                               // if something is carried
  bool has_condition = false;  // block 0 decides whether the other one is called again
  int first_const[2] = {};     // the first const operand of block 0, and of the other blocks
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

namespace detail {

// A block as two blocks. The known one has the known inputs of the old one, and its known outputs, and then `stored`; the rest has the
// unknown inputs, and then the residuals, and the unknown outputs.
struct split_block {
  int known = 0, rest = 0;
  arena<int> unknown_inputs;   // values of the rest
  arena<int> residual_inputs;  // values of the rest, one for each residual
  arena<int> source;           // of each residual: an input of the old block, or -1 - i: output i of `stored`
  arena<aval> stored;          // types
};

}  // namespace detail

}  // namespace exprax
