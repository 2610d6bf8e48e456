// SPDX-License-Identifier: BSL-1.0
// lower_while: a while whose condition gives one bool for each row (primitives/control/while.hpp) becomes one with a single bool. The
// active rows are a carry; the loop runs while there are any, and an iteration updates only those rows. The condition is inlined twice:
// before the loop, and at the end of its body.
#pragma once

#include <exprax/primitives/control/while.hpp>
#include <exprax/primitives/rule_context.hpp>

namespace exprax {
namespace detail {

class while_lowerer : rule_context {
 public:
  static constexpr bool has_rows(program_ref p, eqn const& e) { return e.op == prim::while_ && pred_of(p, e).rank > 0; }
  static constexpr bool is_needed(program_ref p) {
    if (p.n.blocks == 1) return false;
    for (int i = 0; i < p.n.eqns; ++i)
      if (has_rows(p, p.eqns[i])) return true;
    return false;
  }

  using rule_context::rule_context;
  constexpr void run() { copy_.copy_block(from().main_id(), step{*this}); }

 private:
  static constexpr aval const& pred_of(program_ref p, eqn const& e) { return primitive<prim::while_>::pred({p, e}); }

  // Writes one equation of a block.
  struct step {
    while_lowerer& x;
    constexpr void operator()(eqn const& e) const {
      if (has_rows(x.from(), e)) x.loop(e);
      else if (e.n_blk > 0) x.copy_.copy(e, *this);
      else x.copy_.copy(e);
    }
  };
  // The outputs of a block that is inlined into the open one.
  constexpr arena<int> inlined(int id, span<int> args) { return copy_.splice(from().blocks[id], args, step{*this}); }

  constexpr void loop(eqn const& e) {
    using rules = primitive<prim::while_>;
    equation_ref const x{from(), e};
    int const n_cond = rules::cond_nconsts(x), n_body = rules::body_nconsts(x), n_const = rules::first_carry(x),
              n_carry = rules::num_carry(x);
    int const cond = from().block_id(e, 0), body = from().block_id(e, 1);
    aval const rows = pred_of(from(), e);
    arena<int> const given = copy_[from().ins(e)];
    arena<aval> types;  // of the consts, the active rows, the carry
    for (int k = 0; k < n_const; ++k) types.push(from().type(from().in(e, k)));
    types.push(rows);
    for (int k = 0; k < n_carry; ++k) types.push(from().type(e.out + k));

    arena<int> in;
    for (int k = 0; k < n_const; ++k) in.push(given[k]);
    in.push(inlined(cond, arguments(given, 0, n_cond, n_const, n_carry))[0]);
    for (int k = 0; k < n_carry; ++k) in.push(given[n_const + k]);

    int axes[max_rank] = {};
    for (int i = 0; i < rows.rank; ++i) axes[i] = i;
    arena<int> any_in, body_in, next;
    for (int k = n_const; k < types.size(); ++k) any_in.push(to().add_value(types[k]));
    to().open();
    int const any = emit(prim::reduce_or, {any_in.data(), 1}, {axes, rows.rank}, aval(dtype::b1));
    int const new_cond = to().close(any_in, {&any, 1});

    for (aval const& t : types) body_in.push(to().add_value(t));
    to().open();
    arena<int> const made = inlined(body, arguments(body_in, n_cond, n_body, n_const + 1, n_carry));
    arena<int> kept;  // the next carry
    for (int k = 0; k < n_carry; ++k) kept.push(selected(body_in[n_const], body_in[n_const + 1 + k], made[k], types[n_const + 1 + k]));
    arena<int> again;
    for (int k = 0; k < n_cond; ++k) again.push(body_in[k]);
    for (int v : kept) again.push(v);
    next.push(inlined(cond, again)[0]);
    for (int v : kept) next.push(v);
    int const new_body = to().close(body_in, next);

    int const par[] = {0, n_const}, blocks[] = {new_cond, new_body};
    int const first = to().emit(prim::while_, in, par, {types.data() + n_const, 1 + n_carry}, blocks);
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
    int axes[max_rank] = {};
    for (int i = 0; i < type(rows).rank; ++i) axes[i] = i;
    int const which = type(rows).rank < t.rank ? broadcast(rows, t, {axes, type(rows).rank}) : rows;
    int const in[] = {which, before, after};
    return emit(prim::select_n, in, {}, t);
  }
};

}  // namespace detail

constexpr program lower_while(program_ref p) {
  program_builder q;
  detail::while_lowerer(q, p).run();
  return q.finish();
}

}  // namespace exprax
