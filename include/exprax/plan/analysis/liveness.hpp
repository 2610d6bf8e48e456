// SPDX-License-Identifier: BSL-1.0
// Which carries may be updated in place: the new value is the old one with updates, and nothing reads a value after the update
// that follows it. A large update that is computed from other elements of the old value is made in other memory (update_sources.hpp).
#pragma once

#include <exprax/plan/analysis/update_sources.hpp>
#include <exprax/primitives/control/signatures.hpp>
#include <exprax/primitives/traits.hpp>
#include <exprax/program/program.hpp>

namespace exprax::detail::planning {

class liveness {
 public:
  constexpr explicit liveness(program_ref p) : p_(p) {
    if (p.n.blocks < 2) return;  // only loops and branches need it
    def_.resize(p.n.values, -1);
    last_.resize(p.n.values, -1);
    for (int id = 0; id < p.n.blocks; ++id) {
      block const& b = p.blocks[id];
      for (int i = b.eqn; i < b.eqn + b.n_eqn; ++i) {
        eqn const& e = p.eqns[i];
        for (int k = 0; k < e.n_out; ++k) def_[e.out + k] = i;
        for (int v : p.ins(e)) last_[v] = i;
      }
      for (int v : p.outs(b)) last_[v] = p.n.eqns;
    }
  }

  // True if equation i is the last reader of v, and reads it as one operand only.
  constexpr bool dies_at(int v, int i) const { return last_[v] == i && occurrences(p_.ins(p_.eqns[i]), v) == 1; }
  constexpr bool dies_at(int v, eqn const& e) const { return dies_at(v, static_cast<int>(&e - p_.eqns)); }

  // Whether `out`, a result of block b, is its input `in`, changed only by updates that may be made in place.
  constexpr bool is_updated_in_place(block const& b, int in, int out) const {
    if (occurrences(p_.outs(b), out) != 1) return false;
    for (int length = 0; out != in; ++length) {
      if (length == longest_chain || p_.is_constant(out) || def_[out] < 0) return false;
      eqn const& e = p_.eqns[def_[out]];
      int const k = operand_that_becomes(e, out);
      if (k < 0 || !dies_at(p_.in(e, k), def_[out]) || (is_update(e.op) && reads_what_it_updates({p_, e}, b, in))) return false;
      out = p_.in(e, k);
    }
    return true;
  }

  // The index of the operand that equation e may update in place to make its result `out`; -1: none.
  constexpr int operand_that_becomes(eqn const& e, int out) const {
    int const k = out - e.out;
    if (is_update(e.op)) return 0;
    if (!is_control(e.op)) return -1;
    control_signature const s = signature_of(p_, e);
    if (s.is_carry(k)) {
      int const operand = s.first_carry + k, j = e.n_blk - 1;
      block const& body = p_.sub(e, j);
      return is_updated_in_place(body, p_.ins(body)[s.input_of(j, operand)], p_.outs(body)[k]) ? operand : -1;
    }
    for (int operand = 1; s.chooses && operand < e.n_in; ++operand) {
      bool all = true;
      for (int j = 0; j < e.n_blk; ++j) {
        block const& b = p_.sub(e, j);
        all = all && is_updated_in_place(b, p_.ins(b)[s.input_of(j, operand)], p_.outs(b)[k]);
      }
      if (all) return operand;
    }
    return -1;
  }

 private:
  static constexpr int longest_chain = 64;
  static constexpr int occurrences(span<int> list, int v) {
    int n = 0;
    for (int x : list) n += x == v;
    return n;
  }

  program_ref p_;
  arena<int> def_, last_;
};

}  // namespace exprax::detail::planning
