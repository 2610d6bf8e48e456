// SPDX-License-Identifier: BSL-1.0
// lower_while: a while whose condition gives one bool for each row (primitives/control/while.hpp) becomes one with a single bool. The
// active rows are a carry; the loop runs while there are any, and an iteration updates only those rows. The condition is inlined twice:
// before the loop, and at the end of its body.
#pragma once

#include <exprax/primitives/control/while.hpp>
#include <exprax/primitives/copy.hpp>

namespace exprax {
namespace detail {

class while_lowerer {
 public:
  static constexpr bool has_rows(program_ref p, eqn const& e) { return e.op == prim::while_ && pred_of(p, e).rank > 0; }
  static constexpr bool is_needed(program_ref p) {
    if (p.n.blocks == 1) return false;
    for (int i = 0; i < p.n.eqns; ++i)
      if (has_rows(p, p.eqns[i])) return true;
    return false;
  }

  constexpr explicit while_lowerer(program_ref p) : p_(p), copy_(q_, p) {}
  constexpr program run() {
    copy_.copy_block(p_.main_id(), step{*this});
    return q_.finish();
  }

 private:
  static constexpr aval const& pred_of(program_ref p, eqn const& e) { return primitive<prim::while_>::pred({p, e}); }

  // Writes one equation of a block.
  struct step {
    while_lowerer& x;
    constexpr void operator()(eqn const& e) const {
      if (has_rows(x.p_, e)) x.loop(e);
      else if (e.n_blk > 0) x.copy_.copy(e, *this);
      else x.copy_.copy(e);
    }
  };
  // The outputs of a block that is inlined into the open one.
  constexpr arena<int> inlined(int id, span<int> args) { return copy_.splice(p_.blocks[id], args, step{*this}); }

  constexpr void loop(eqn const& e) {
    using rules = primitive<prim::while_>;
    equation_ref const x{p_, e};
    int const n_cond = rules::cond_nconsts(x), n_body = rules::body_nconsts(x), n_const = rules::first_carry(x), n_carry = rules::num_carry(x);
    int const cond = p_.block_id(e, 0), body = p_.block_id(e, 1);
    aval const rows = pred_of(p_, e);
    arena<int> const given = copy_[p_.ins(e)];
    arena<aval> types;  // of the consts, the active rows, the carry
    for (int k = 0; k < n_const; ++k) types.push(p_.type(p_.in(e, k)));
    types.push(rows);
    for (int k = 0; k < n_carry; ++k) types.push(p_.type(e.out + k));

    arena<int> in;
    for (int k = 0; k < n_const; ++k) in.push(given[k]);
    in.push(inlined(cond, arguments(given, 0, n_cond, n_const, n_carry))[0]);
    for (int k = 0; k < n_carry; ++k) in.push(given[n_const + k]);

    int axes[max_rank] = {};
    for (int i = 0; i < rows.rank; ++i) axes[i] = i;
    arena<int> any_in, body_in, next;
    for (int k = n_const; k < types.size(); ++k) any_in.push(q_.add_value(types[k]));
    q_.open();
    int const any = emit(prim::reduce_or, {any_in.data(), 1}, {axes, rows.rank}, aval(dtype::b1));
    int const new_cond = q_.close(any_in, {&any, 1});

    for (aval const& t : types) body_in.push(q_.add_value(t));
    q_.open();
    arena<int> const made = inlined(body, arguments(body_in, n_cond, n_body, n_const + 1, n_carry));
    arena<int> kept;  // the next carry
    for (int k = 0; k < n_carry; ++k) kept.push(selected(body_in[n_const], body_in[n_const + 1 + k], made[k], types[n_const + 1 + k]));
    arena<int> again;
    for (int k = 0; k < n_cond; ++k) again.push(body_in[k]);
    for (int v : kept) again.push(v);
    next.push(inlined(cond, again)[0]);
    for (int v : kept) next.push(v);
    int const new_body = q_.close(body_in, next);

    int const par[] = {0, n_const}, blocks[] = {new_cond, new_body};
    int const first = q_.emit(prim::while_, in, par, {types.data() + n_const, 1 + n_carry}, blocks);
    for (int k = 0; k < n_carry; ++k) copy_.set(e.out + k, first + 1 + k);
  }
  // n values from index `begin`, then the carry.
  static constexpr arena<int> arguments(arena<int> const& from, int begin, int n, int carry, int n_carry) {
    arena<int> r;
    for (int k = 0; k < n; ++k) r.push(from[begin + k]);
    for (int k = 0; k < n_carry; ++k) r.push(from[carry + k]);
    return r;
  }
  // `after` in the active rows, `before` in the others.
  constexpr int selected(int rows, int before, int after, aval const& t) {
    if (before == after) return before;
    int which = rows;
    aval const of = q_.type(rows);
    if (of.rank < t.rank) {
      int par[2 * max_rank] = {};
      for (int i = 0; i < t.rank; ++i) par[i] = t.dims[i];
      for (int i = 0; i < of.rank; ++i) par[t.rank + i] = i;
      which = emit(prim::broadcast_in_dim, {&rows, 1}, {par, t.rank + of.rank}, t.with_type(dtype::b1));
    }
    int const in[] = {which, before, after};
    return emit(prim::select_n, in, {}, t);
  }
  constexpr int emit(prim op, span<int> in, span<int> par, aval const& t) { return q_.emit_one(op, in, par, t); }

  program_ref p_;
  program_builder q_;
  block_copier copy_;
};

}  // namespace detail

constexpr program lower_while(program_ref p) { return detail::while_lowerer(p).run(); }

}  // namespace exprax
