// SPDX-License-Identifier: BSL-1.0
// forward_dataflow: propagates marks from the inputs of a block to its values and outputs: through equations by a local rule, through
// branches by a join, through loops to a fixed point. A carry is marked if its initial value or its update is; if the condition of a loop
// or the predicate of a branch is marked, so are all results.
//
// Local: char operator()(forward_dataflow const&, eqn const&): the mark of the results of an equation that is not a control equation.
#pragma once

#include <exprax/primitives/control/signatures.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax {

// The marks of a control equation: operands, with the carry at the fixed point; results; and whether the loop's condition or the branch's
// predicate is marked.
struct control_marks {
  detail::arena<char> operands, results;
  bool by_predicate = false;
};

// A template, so that programs that need no marks do not instantiate it.
template <class Local, class Program = program_ref>
class forward_dataflow {
 public:
  constexpr explicit forward_dataflow(Program p, Local local = {}) : p_(p), local_(local) { marks_.resize(p.n.values, 0); }

  constexpr char of(int v) const { return marks_[v]; }
  constexpr Program const& program() const { return p_; }
  constexpr bool any_operand(eqn const& e) const {
    for (int v : p_.ins(e))
      if (marks_[v]) return true;
    return false;
  }

  // in: a mark for each input of the block; result: one for each output.
  constexpr detail::arena<char> through(block const& b, detail::span<char> in) {
    for (int k = 0; k < b.n_in; ++k) marks_[p_.ins(b)[k]] = in[k];
    for (eqn const& e : p_.body(b)) step(e);
    detail::arena<char> out;
    out.reserve(b.n_out);
    for (int v : p_.outs(b)) out.push(marks_[v]);
    return out;
  }
  // operands: a mark for each operand.
  constexpr control_marks through(eqn const& e, detail::arena<char> operands) {
    control_signature const s = signature_of(p_, e);
    control_marks r;
    r.operands = static_cast<detail::arena<char>&&>(operands);
    r.results.resize(e.n_out, 0);
    int const first = s.has_condition ? 1 : 0;
    for (bool stable = false; !stable;) {
      stable = true;
      for (int j = first; j < e.n_blk; ++j) {
        detail::arena<char> const out = through(p_.sub(e, j), inputs(e, s, j, r.operands));
        for (int k = 0; k < e.n_out; ++k) {
          char& mark = s.is_carry(k) ? r.operands[s.first_carry + k] : r.results[k];
          if (s.is_carry(k) && out[k] && !mark) stable = false;
          if (out[k]) mark = 1;
        }
      }
    }
    if (s.has_condition) r.by_predicate = through(p_.sub(e, 0), inputs(e, s, 0, r.operands))[0] != 0;
    if (s.chooses) r.by_predicate = r.operands[0] != 0;
    for (int k = 0; k < e.n_out; ++k) {
      if (s.is_carry(k)) r.results[k] = r.operands[s.first_carry + k];
      if (r.by_predicate) r.results[k] = 1;
    }
    return r;
  }

 private:
  constexpr void step(eqn const& e) {
    if (e.n_blk > 0 && is_control(e.op)) {
      detail::arena<char> operands;
      for (int v : p_.ins(e)) operands.push(marks_[v]);
      control_marks const r = through(e, operands);
      for (int k = 0; k < e.n_out; ++k) marks_[e.out + k] = r.results[k];
      return;
    }
    char const mark = local_(*this, e);
    for (int k = 0; k < e.n_out; ++k) marks_[e.out + k] = mark;
  }
  constexpr detail::arena<char> inputs(eqn const& e, control_signature const& s, int j, detail::arena<char> const& operands) const {
    detail::arena<char> in;
    for (int i = 0; i < p_.sub(e, j).n_in; ++i) in.push(operands[s.operand_of(j, i)]);
    return in;
  }

  Program p_;
  Local local_;
  detail::arena<char> marks_;
};

}  // namespace exprax
