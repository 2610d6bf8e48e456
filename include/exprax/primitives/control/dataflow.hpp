// SPDX-License-Identifier: BSL-1.0
// The dataflow engine, in both directions: through equations by local rules, through branches by a join, through loops to a fixed point.
//
// forward_dataflow: marks, from the inputs of a block to its values and outputs. A carry is marked if its initial value or its update is;
// if the condition of a loop or the predicate of a branch is marked, so are all results.
//
// backward_dataflow: demand, from the outputs of a block to its values and inputs. The demand of a value is how often live equations read
// it; an equation is live if a result has demand, or if it has effects. The initial value of a carry has demand if the carry's last value
// has, or if a block reads it: a carry that only computes itself is dead.
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

// Local: char operator()(forward_dataflow const&, eqn const&): the mark of the results of an equation that is not a control equation.
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

// Local: has_effects(program_ref, eqn); stays_whole(program_ref, eqn): the blocks of a control equation have demand for all their outputs,
// and all operands are read.
template <class Local>
class backward_dataflow {
 public:
  // For each value. An output of a block counts as two reads: what leaves its block is not read by a single equation.
  int* of;

  constexpr explicit backward_dataflow(program_ref p) : p_(p), demand_(p.n.values), done_(p.n.blocks), local_(p) { of = demand_.at; }

  // All outputs of the program have demand.
  constexpr void run() { through_whole(p_.main()); }

  constexpr bool is_live(eqn const& e) const {
    for (int k = 0; k < e.n_out; ++k)
      if (of[e.out + k] != 0) return true;
    return local_.has_effects(p_, e);
  }
  constexpr bool stays_whole(eqn const& e) const { return local_.stays_whole(p_, e); }

  // Which results and operands of a control equation have demand if it does not stay whole.
  constexpr detail::arena<char> live_results(eqn const& e) const {
    detail::arena<char> live;
    control_signature const s = signature_of(p_, e);
    detail::arena<char> const read = read_operands(e, s);
    for (int k = 0; k < e.n_out; ++k) live.push(of[e.out + k] != 0 || (s.is_carry(k) && read[s.first_carry + k]));
    return live;
  }
  constexpr detail::arena<char> live_operands(eqn const& e) const {
    control_signature const s = signature_of(p_, e);
    detail::arena<char> live = read_operands(e, s);
    for (int k = 0; k < s.n_carry; ++k) live[s.first_carry + k] = live[s.first_carry + k] || of[e.out + k] != 0;
    return live;
  }

 private:
  constexpr void through_body(block const& b) {
    eqn const* const eqns = p_.eqns;
    int* const demand = of;
    for (int i = b.eqn + b.n_eqn - 1; i >= b.eqn; --i) {
      eqn const e = eqns[i];
      if (e.n_out == 1 && e.n_blk == 0 ? demand[e.out] == 0 : !is_live(e)) continue;
      int const* const in = p_.refs + e.in;
      if (e.n_blk != 0) through_control(e);
      else if (e.n_in == 2) ++demand[in[0]], ++demand[in[1]];
      else
        for (int k = 0; k < e.n_in; ++k) ++demand[in[k]];
    }
  }
  constexpr void through_whole(block const& b) {
    for (int v : p_.outs(b)) of[v] += 2;
    through_body(b);
  }
  // live: for each output of the block; null: all. What an earlier round found is forgotten.
  constexpr void through_block(block const& b, char const* live) {
    for (int v : p_.ins(b)) of[v] = 0;
    for (eqn const& x : p_.body(b))
      for (int k = 0; k < x.n_out; ++k) of[x.out + k] = 0;
    for (int k = 0; k < b.n_out; ++k)
      if (!live || live[k]) of[p_.outs(b)[k]] += 2;
    through_body(b);
  }
  constexpr void through_control(eqn const& e) {
    if (stays_whole(e)) {
      for (int v : p_.ins(e)) ++of[v];
      for (int id : p_.subs(e))
        if (!done_.at[id]) done_.at[id] = 1, through_whole(p_.blocks[id]);
      return;
    }
    control_signature const s = signature_of(p_, e);
    detail::arena<char> live;
    for (int k = 0; k < e.n_out; ++k) live.push(of[e.out + k] != 0);
    int const first = s.has_condition ? 1 : 0;
    if (s.has_condition) {
      through_block(p_.sub(e, 0), nullptr);
      for (int v : p_.ins(p_.sub(e, 1))) of[v] = 0;
      add_read_carries(e, s, live);
    }
    do {  // mostly one round
      for (int j = first; j < e.n_blk; ++j) through_block(p_.sub(e, j), live.data());
    } while (add_read_carries(e, s, live));
    detail::arena<char> const operands = live_operands(e);
    for (int k = 0; k < e.n_in; ++k) of[p_.in(e, k)] += operands[k];
  }
  // Whether a carry has become live.
  constexpr bool add_read_carries(eqn const& e, control_signature const& s, detail::arena<char>& live) const {
    bool found = false;
    detail::arena<char> const read = read_operands(e, s);
    for (int k = 0; k < s.n_carry; ++k)
      if (!live[k] && read[s.first_carry + k]) live[k] = found = true;
    return found;
  }
  // For each operand whether a block reads it; a predicate is read.
  constexpr detail::arena<char> read_operands(eqn const& e, control_signature const& s) const {
    detail::arena<char> read;
    read.resize(e.n_in, 0);
    if (s.chooses) read[0] = 1;
    for (int j = 0; j < e.n_blk; ++j) {
      block const& b = p_.sub(e, j);
      for (int i = 0; i < b.n_in; ++i)
        if (of[p_.ins(b)[i]] != 0) read[s.operand_of(j, i)] = 1;
    }
    return read;
  }

  program_ref p_;
  detail::flat<int> demand_;
  detail::flat<char> done_;  // for each block, 1 if it stays whole and was walked
  Local local_;
};

}  // namespace exprax
