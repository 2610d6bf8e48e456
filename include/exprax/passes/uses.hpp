// SPDX-License-Identifier: BSL-1.0
// uses: how often live equations read each value, counted in one backward walk. Equations with effects are live. Loops and branches need
// only what their needed results depend on: a carry that is only used to compute itself is dead.
#pragma once

#include <exprax/passes/rewrite/effects.hpp>
#include <exprax/primitives/control/signatures.hpp>

namespace exprax::detail {

class use_counter {
 public:
  // For each value. A result of a block counts as two, because a product that leaves its block cannot be fused.
  int* of;

  constexpr explicit use_counter(program_ref p) : p_(p), uses_(p.n.values), callers_(p.n.blocks), marked_(p.n.blocks), effects_(p) {
    of = uses_.at;
    for (int i = 0; i < p.n.eqns && p.n.blocks > 1; ++i)
      for (int id : p.subs(p.eqns[i])) ++callers_.at[id];
  }
  constexpr void run() {
    for (int v : p_.outs(p_.main())) of[v] += 2;
    mark(p_.main());
  }

  constexpr bool is_live(eqn const& e) const {
    for (int k = 0; k < e.n_out; ++k)
      if (of[e.out + k] != 0) return true;
    return effects_.of(p_, e);
  }
  // An equation stays whole if it is a jit, shares a block with another equation, or has no blocks.
  constexpr bool stays_whole(eqn const& e) const {
    bool shared = e.op == prim::jit || e.n_blk == 0;
    for (int id : p_.subs(e)) shared = shared || callers_.at[id] > 1;
    return shared;
  }

  // Which results and operands of a control equation are kept if it does not stay whole.
  constexpr arena<char> kept_results(eqn const& e) const {
    arena<char> kept;
    control_signature const s = signature_of(p_, e);
    arena<char> const read = read_operands(e, s);
    for (int k = 0; k < e.n_out; ++k) kept.push(of[e.out + k] != 0 || (s.is_carry(k) && read[s.first_carry + k]));
    return kept;
  }
  constexpr arena<char> kept_operands(eqn const& e) const {
    control_signature const s = signature_of(p_, e);
    arena<char> kept = read_operands(e, s);
    for (int k = 0; k < s.n_carry; ++k) kept[s.first_carry + k] = kept[s.first_carry + k] || of[e.out + k] != 0;
    return kept;
  }

 private:
  constexpr void mark(block const& b) {
    eqn const* const eqns = p_.eqns;
    int* const uses = of;
    for (int i = b.eqn + b.n_eqn - 1; i >= b.eqn; --i) {
      eqn const e = eqns[i];
      if (e.n_out == 1 && e.n_blk == 0 ? uses[e.out] == 0 : !is_live(e)) continue;
      int const* const in = p_.refs + e.in;
      if (e.n_blk != 0) mark_control(e);
      else if (e.n_in == 2) ++uses[in[0]], ++uses[in[1]];
      else
        for (int k = 0; k < e.n_in; ++k) ++uses[in[k]];
    }
  }
  constexpr void mark_control(eqn const& e) {
    if (stays_whole(e)) {
      for (int v : p_.ins(e)) ++of[v];
      for (int id : p_.subs(e)) {
        if (marked_.at[id]) continue;
        marked_.at[id] = 1;
        for (int v : p_.outs(p_.blocks[id])) of[v] += 2;
        mark(p_.blocks[id]);
      }
      return;
    }
    control_signature const s = signature_of(p_, e);
    arena<char> needed;
    for (int k = 0; k < e.n_out; ++k) needed.push(of[e.out + k] != 0);
    // A carry is needed if its last value is, or if a block reads it. Found by iteration, mostly in one round.
    if (s.has_condition) {
      mark_block(p_.sub(e, 0), nullptr);
      for (int v : p_.ins(p_.sub(e, 1))) of[v] = 0;
      need_what_is_read(e, s, needed);
    }
    do {
      for (int k = s.has_condition ? 1 : 0; k < e.n_blk; ++k) mark_block(p_.sub(e, k), needed.data());
    } while (need_what_is_read(e, s, needed));
    arena<char> const kept = kept_operands(e);
    for (int k = 0; k < e.n_in; ++k) of[p_.in(e, k)] += kept[k];
  }
  // Whether a carry has become needed.
  constexpr bool need_what_is_read(eqn const& e, control_signature const& s, arena<char>& needed) const {
    bool found = false;
    arena<char> const read = read_operands(e, s);
    for (int k = 0; k < s.n_carry; ++k)
      if (!needed[k] && read[s.first_carry + k]) needed[k] = found = true;
    return found;
  }
  // needed: for each result of the block; null: all.
  constexpr void mark_block(block const& b, char const* needed) {
    for (int v : p_.ins(b)) of[v] = 0;
    for (eqn const& x : p_.body(b))
      for (int k = 0; k < x.n_out; ++k) of[x.out + k] = 0;
    for (int k = 0; k < b.n_out; ++k)
      if (!needed || needed[k]) of[p_.outs(b)[k]] += 2;
    mark(b);
  }
  // For each operand whether a block reads it; a predicate is read.
  constexpr arena<char> read_operands(eqn const& e, control_signature const& s) const {
    arena<char> read;
    read.resize(e.n_in, 0);
    if (s.chooses) read[0] = 1;
    for (int k = 0; k < e.n_blk; ++k) {
      block const& b = p_.sub(e, k);
      for (int i = 0; i < b.n_in; ++i)
        if (of[p_.ins(b)[i]] != 0) read[s.operand_of(k, i)] = 1;
    }
    return read;
  }

  program_ref p_;
  flat<int> uses_;
  flat<int> callers_;  // for each block, the equations that name it
  flat<char> marked_;  // for each block, 1 if it stays whole and is marked
  effect_table effects_;
};

}  // namespace exprax::detail
