// SPDX-License-Identifier: BSL-1.0
// Branches: what the walk of the rewriter makes of cond. A branch that is known to be taken, or that equals all others, stands
// where the equation stood. A result that all branches take from outside, or that is one constant, is that.
#pragma once

#include <exprax/passes/rewriter.hpp>

namespace exprax::detail {

// Whether two blocks of a program are the same but for the numbers of their values.
constexpr bool same_blocks(program_ref const& p, block const& a, block const& b) {
  if (a.n_in != b.n_in || a.n_out != b.n_out || a.n_eqn != b.n_eqn) return false;
  arena<int> from, to;  // values of a, and what they are in b
  auto const pair = [&](int x, int y) {
    from.push(x);
    to.push(y);
    return p.type(x).matches(p.type(y));
  };
  auto const equal = [&](int x, int y) {
    if (p.is_constant(x) || p.is_constant(y)) {
      if (x == y) return true;
      if (!p.is_constant(x) || !p.is_constant(y) || !p.type(x).matches(p.type(y))) return false;
      for (std::ptrdiff_t i = 0; i < p.type(x).size(); ++i)
        if (p.bits(x, i) != p.bits(y, i)) return false;
      return true;
    }
    for (int k = from.size() - 1; k >= 0; --k)
      if (from[k] == x) return to[k] == y;
    return false;
  };
  for (int k = 0; k < a.n_in; ++k)
    if (!pair(p.ins(a)[k], p.ins(b)[k])) return false;
  for (int i = 0; i < a.n_eqn; ++i) {
    eqn const &x = p.body(a)[i], &y = p.body(b)[i];
    if (x.op != y.op || x.n_in != y.n_in || x.n_out != y.n_out || x.n_par != y.n_par || x.n_blk != y.n_blk) return false;
    for (int k = 0; k < x.n_par; ++k)
      if (p.param(x, k) != p.param(y, k)) return false;
    for (int k = 0; k < x.n_in; ++k)
      if (!equal(p.in(x, k), p.in(y, k))) return false;
    for (int k = 0; k < x.n_blk; ++k)
      if (p.block_id(x, k) != p.block_id(y, k) && !same_blocks(p, p.sub(x, k), p.sub(y, k))) return false;
    for (int k = 0; k < x.n_out; ++k)
      if (!pair(x.out + k, y.out + k)) return false;
  }
  for (int k = 0; k < a.n_out; ++k)
    if (!equal(p.outs(a)[k], p.outs(b)[k])) return false;
  return true;
}
template <class Ids>
constexpr bool all_same_blocks(program_ref const& p, Ids const& ids) {
  for (int k = 1; k < ids.size(); ++k)
    if (ids[k] != ids[0] && !same_blocks(p, p.blocks[ids[0]], p.blocks[ids[k]])) return false;
  return true;
}

// The branch that is taken, or -1.
template <class W>
constexpr int taken_branch(W& w, eqn const& e, int index) {
  program_ref const& p = w.source();
  if (w.is_literal(index)) {
    std::int64_t const i = static_cast<std::int64_t>(w.bits(index));
    return i < 0 ? 0 : i >= e.n_blk ? e.n_blk - 1 : static_cast<int>(i);
  }
  return all_same_blocks(p, p.subs(e)) ? 0 : -1;
}

template <class W>
constexpr bool same_constants(W& w, int x, int y) {
  if (x == y) return true;
  if (!w.is_constant(x) || !w.is_constant(y) || w.type_of(x) != w.type_of(y)) return false;
  for (std::ptrdiff_t i = 0; i < w.aval_of(x).size(); ++i)
    if (w.bits(x, i) != w.bits(y, i)) return false;
  return true;
}

template <class W>
constexpr void rewrite_cond(W& w, eqn const& e) {
  program_ref const& p = w.source();
  arena<int> const in = w.operands(p.ins(e));
  int const taken = taken_branch(w, e, in[0]);
  if (taken >= 0) return w.splice(e, taken, {in.data() + 1, in.size() - 1});

  arena<closed_scope> branches;
  arena<arena<int>> outs;
  arena<int> common;  // for each result what all branches give, or -1; a literal that fills it as -2 - literal
  for (int id : p.subs(e)) {
    block const& b = p.blocks[id];
    for (int k = 0; k < b.n_in; ++k) w.bind(p.ins(b)[k], in[k + 1]);
    int const barrier = w.open(true), inside = w.depth();
    w.walk(b);
    arena<int> out = w.operands(p.outs(b));
    for (int k = 0; k < e.n_out; ++k) {
      int const v = out[k], u = w.uniform(v);
      int const its = w.level_of(v) < inside ? v : u >= 0 && w.is_literal(u) ? -2 - u : -1;
      if (branches.empty()) common.push(its);
      else if (its != common[k] && (its < 0 || common[k] < 0 || !same_constants(w, its, common[k]))) common[k] = -1;
    }
    branches.push(w.close(out, barrier));
    outs.push(out);
  }

  arena<int> operands, results, ids;
  operands.push(in[0]);
  for (closed_scope const& c : branches)
    for (int v : c.captured) {
      bool known = false;
      for (int i = 1; i < operands.size(); ++i) known = known || operands[i] == v;
      if (!known) operands.push(v);
    }
  for (int k = 0; k < e.n_out; ++k)
    if (common[k] == -1) results.push(e.out + k);
  for (int i = 0; i < branches.size(); ++i) {
    closed_scope const& c = branches[i];
    arena<int> its, kept;
    for (int o = 1; o < operands.size(); ++o) {
      int inner = -1;
      for (int k = 0; k < c.captured.size(); ++k)
        if (c.captured[k] == operands[o]) inner = c.inputs[k];
      its.push(inner < 0 ? w.input(w.type_of(operands[o])) : inner);
    }
    for (int k = 0; k < e.n_out; ++k)
      if (common[k] == -1) kept.push(outs[i][k]);
    w.set_inputs(c.id, its);
    w.set_outputs(c.id, kept);
    ids.push(c.id);
  }
  if (!results.empty() && all_same_blocks(w.written(), ids)) w.finds_more = true;
  if (!results.empty() || w.has_effects(e)) w.add_control(e, operands, {}, ids, results, w.has_effects(e));
  for (int k = 0; k < e.n_out; ++k)
    if (common[k] != -1) w.bind(e.out + k, common[k] >= 0 ? common[k] : w.filled(w.type_in(e.out + k), -2 - common[k]));
}

}  // namespace exprax::detail
