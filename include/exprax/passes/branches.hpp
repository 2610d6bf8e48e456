// SPDX-License-Identifier: BSL-1.0
// Branches: how the rewriter rewrites cond. If the taken branch is known, or all branches are equal, that branch replaces the equation.
// A result that is the same outer value or the same literal in all branches is replaced by it.
#pragma once

#include <exprax/passes/rewrite/rewriter.hpp>

namespace exprax::detail {

constexpr bool same_blocks(program_ref const& p, block const& a, block const& b);

// Compares two blocks backwards from their results, so that differences are found early and dead equations do not count.
class block_comparison {
 public:
  constexpr block_comparison(program_ref const& p, block const& a, block const& b) : p_(p), a_(a), b_(b) {}
  constexpr bool run() {
    if (a_.n_in != b_.n_in || a_.n_out != b_.n_out) return false;
    for (int k = 0; k < a_.n_out; ++k)
      if (!same(p_.outs(a_)[k], p_.outs(b_)[k])) return false;
    return !has_effects(a_) && !has_effects(b_);
  }

 private:
  constexpr bool same(int x, int y) {
    if (!p_.type(x).matches(p_.type(y)) || p_.is_constant(x) != p_.is_constant(y)) return false;
    if (p_.is_constant(x)) {
      for (std::ptrdiff_t i = 0; i < p_.type(x).size() && x != y; ++i)
        if (p_.bits(x, i) != p_.bits(y, i)) return false;
      return true;
    }
    for (int k = from_.size() - 1; k >= 0; --k)
      if (from_[k] == x) return to_[k] == y;
    from_.push(x);
    to_.push(y);
    for (int k = 0; k < a_.n_in; ++k)
      if (p_.ins(a_)[k] == x || p_.ins(b_)[k] == y) return p_.ins(a_)[k] == x && p_.ins(b_)[k] == y;
    eqn const &e = definition(a_, x), &f = definition(b_, y);
    if (e.op != f.op || e.n_in != f.n_in || e.n_out != f.n_out || e.n_par != f.n_par || e.n_blk != f.n_blk) return false;
    if (x - e.out != y - f.out) return false;
    for (int k = 0; k < e.n_par; ++k)
      if (p_.param(e, k) != p_.param(f, k)) return false;
    for (int k = 0; k < e.n_in; ++k)
      if (!same(p_.in(e, k), p_.in(f, k))) return false;
    for (int k = 0; k < e.n_blk; ++k)
      if (p_.block_id(e, k) != p_.block_id(f, k) && !same_blocks(p_, p_.sub(e, k), p_.sub(f, k))) return false;
    return true;
  }
  constexpr eqn const& definition(block const& b, int v) const {
    int i = b.eqn + b.n_eqn - 1;
    while (v < p_.eqns[i].out || v >= p_.eqns[i].out + p_.eqns[i].n_out) --i;
    return p_.eqns[i];
  }
  constexpr bool has_effects(block const& b) const {
    for (eqn const& e : p_.body(b)) {
      if (e.n_out == 0) return true;
      for (int id : p_.subs(e))
        if (has_effects(p_.blocks[id])) return true;
    }
    return false;
  }

  program_ref const& p_;
  block const &a_, &b_;
  arena<int> from_, to_;  // values of a, and their counterparts in b
};

// Whether two blocks of a program are equal up to the indices of their values, and have no effects.
constexpr bool same_blocks(program_ref const& p, block const& a, block const& b) { return block_comparison(p, a, b).run(); }
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

// The common result of all branches: an outer value, or a literal that fills it.
struct common_result {
  enum kind : std::uint8_t { none, value, literal } is = none;
  int of = -1;
};
template <class W>
constexpr bool is_same(W& w, common_result const& a, common_result const& b) {
  if (a.is != b.is || a.is == common_result::none) return false;
  return a.of == b.of || (a.is == common_result::value && same_constants(w, a.of, b.of));
}

template <class W>
constexpr void rewrite_cond(W& w, eqn const& e) {
  program_ref const& p = w.source();
  arena<int> const in = w.operands(p.ins(e));
  int const taken = taken_branch(w, e, in[0]);
  if (taken >= 0) return w.splice(e, taken, {in.data() + 1, in.size() - 1});

  arena<closed_scope> branches;
  arena<arena<int>> outs;
  branches.reserve(e.n_blk);
  outs.reserve(e.n_blk);
  arena<common_result> common;  // for each result
  for (int id : p.subs(e)) {
    block const& b = p.blocks[id];
    for (int k = 0; k < b.n_in; ++k) w.bind(p.ins(b)[k], in[k + 1]);
    int const barrier = w.open(true), inside = w.depth();
    w.walk(b);
    arena<int> out = w.operands(p.outs(b));
    for (int k = 0; k < e.n_out; ++k) {
      int const v = out[k], u = w.uniform(v);
      common_result its;
      if (w.level_of(v) < inside) its = {common_result::value, v};
      else if (u >= 0 && w.is_literal(u)) its = {common_result::literal, u};
      if (branches.empty()) common.push(its);
      else if (!is_same(w, its, common[k])) common[k] = {};
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
    if (common[k].is == common_result::none) results.push(e.out + k);
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
      if (common[k].is == common_result::none) kept.push(outs[i][k]);
    w.set_inputs(c.id, its);
    w.set_outputs(c.id, kept);
    ids.push(c.id);
  }
  if (!results.empty() && all_same_blocks(w.written(), ids)) w.finds_more = true;
  if (!results.empty() || w.has_effects(e)) w.add_control(e, operands, {}, ids, results, w.has_effects(e));
  for (int k = 0; k < e.n_out; ++k) {
    if (common[k].is == common_result::value) w.bind(e.out + k, common[k].of);
    if (common[k].is == common_result::literal) w.bind(e.out + k, w.filled(w.type_in(e.out + k), common[k].of));
  }
}

}  // namespace exprax::detail
