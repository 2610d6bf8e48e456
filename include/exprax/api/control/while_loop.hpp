// SPDX-License-Identifier: BSL-1.0
// while_loop(cond_fun, body_fun, init): carry = body_fun(carry) while cond_fun(carry) is true; returns the last carry (jax.lax.while_loop).
// The carry is a pytree; both functions may capture traced values. cond_fun returns one bool.
#pragma once

#include <exprax/api/control/carry.hpp>
#include <exprax/api/control/control.hpp>

namespace exprax {

namespace detail {

template <class F>
struct while_body {
  template <class Carry>
  struct step {
    using type = lifted_tree_t<std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<Carry&>()))>>;
  };
};

// Compilers print their arguments with the static_asserts.
template <class Returned>
inline constexpr bool is_a_boolean_scalar = false;
template <class T>
inline constexpr bool is_a_boolean_scalar<expr<T>> = is_bool(dtype_of<T>);

// A condition that is false by its type (std::false_type): there are no iterations, and nothing is recorded.
template <class Returned>
inline constexpr bool is_never_true = false;
template <static_constant Returned>
inline constexpr bool is_never_true<Returned> = !Returned::value;

template <class Cond, class Carry>
using condition_result = lifted_tree_t<std::remove_cvref_t<decltype(std::declval<Cond const&>()(std::declval<Carry&>()))>>;

// A closed block for f on a carry.
template <class Carry, class F>
constexpr closed_block close_over_carry(handle const& anchor, F const& f) {
  block_scope scope(anchor);
  arena<handle> outs;
  static_cast<void>(run_in_block(scope, outs, f, std::tuple<Carry>{}));
  return scope.close(outs);
}

// start: the initial carry, with its final types. Carries that the body returns unchanged and the condition does not read become consts of
// the body, as in JAX.
template <class Last, class Cond, class Body, class Start>
constexpr Last record_while(Cond const& cond_fun, Body const& body_fun, Start const& start) {
  arena<handle> operands = handles_of(start);
  handle const anchor = join_all(operands);
  closed_block cond = close_over_carry<Start>(anchor, cond_fun);
  closed_block body = close_over_carry<Start>(anchor, body_fun);
  follow(cond);
  follow(body);
  tape* const t = body.on.on;
  for (handle& h : operands) h = resolve(h);

  block const c = t->blocks.at[cond.id], b = t->blocks.at[body.id];
  auto const input_of = [t](block const& x, closed_block const& closed, int k) { return t->refs.at[x.in + closed.captures.size() + k]; };
  auto const reads = [t](block const& x, int v) {
    bool found = t->refs.at[x.out] == v;
    for (int i = x.eqn; i < x.eqn + x.n_eqn && !found; ++i) found = position({t->refs.at + t->eqns.at[i].in, t->eqns.at[i].n_in}, v) >= 0;
    return found;
  };
  arena<int> from;  // for each result, the operand that it equals, or new_result
  for (int k = 0; k < b.n_out; ++k) {
    bool const fixed = t->refs.at[b.out + k] == input_of(b, body, k) && !reads(c, input_of(c, cond, k));
    from.push(fixed ? operands[k].id : new_result);
  }

  arena<int> in, cond_in, body_in, cond_out, body_out, types;
  for (int k = 0; k < cond.captures.size(); ++k) in.push(cond.captures[k]), cond_in.push(t->refs.at[c.in + k]);
  int const n_cond = in.size();
  for (int k = 0; k < b.n_out; ++k)
    if (from[k] != new_result) in.push(from[k]), body_in.push(input_of(b, body, k));
  for (int k = 0; k < body.captures.size(); ++k) in.push(body.captures[k]), body_in.push(t->refs.at[b.in + k]);
  int const n_body = in.size() - n_cond;
  cond_out.push(t->refs.at[c.out]);
  for (int k = 0; k < b.n_out; ++k) {
    if (from[k] != new_result) continue;
    in.push(operands[k].id);
    cond_in.push(input_of(c, cond, k));
    body_in.push(input_of(b, body, k));
    body_out.push(t->refs.at[b.out + k]);
    types.push(t->values.at[body_out.back()].type);
  }
  t->set_inputs(cond.id, cond_in), t->set_outputs(cond.id, cond_out);
  t->set_inputs(body.id, body_in), t->set_outputs(body.id, body_out);
  int const params[] = {n_cond, n_body}, blocks[] = {cond.id, body.id};
  return results_of<Last>(t, from, t->record(prim::while_, in, params, types, blocks));
}

// while_loop as a stateless callable, for arrays.
template <class Cond, class Body>
struct while_of {
  template <class Init>
  constexpr auto operator()(Init const& init) const;
};

}  // namespace detail

template <bool Defers = true, class Cond, class Body, class Init>
constexpr auto while_loop(Cond const& cond_fun, Body const& body_fun, Init const& init) {
  using namespace detail;
  if constexpr (check_arguments<Init>()) {
    if constexpr (!can_be_called<Cond, to_expr_t<Init>> || !can_be_called<Body, to_expr_t<Init>>) {
      static_assert(can_be_called<Cond, to_expr_t<Init>>,
                    "exprax: while_loop: cond_fun cannot be called with the carry alone: it takes one argument, whose type this message "
                    "names: write it as auto");
      static_assert(can_be_called<Body, to_expr_t<Init>>,
                    "exprax: while_loop: body_fun cannot be called with the carry alone: it takes one argument, whose type this message "
                    "names: write it as auto");
      return lift_tree(init);
    } else {
      using carry = fixed_carry<to_expr_t<Init>, while_body<Body>::template step>;
      using start = typename carry::type;
      using last = typename carry::last;
      static_assert(carry_keeps_its_structure<start, typename carry::first>,
                    "exprax: while_loop body function carry input and carry output must have the same pytree structure, but they differ: "
                    "this message names both");
      static_assert(
          carry_keeps_its_type<typename carry::at, typename carry::before, typename carry::after>,
          "exprax: while_loop body function carry input and carry output must have equal types, but they differ: this message names the "
          "component, its type before and its type after. Revise the body so that dtype and shape stay, or start with the type that it "
          "returns");
      using returned = condition_result<Cond, start>;
      static_assert(is_a_boolean_scalar<returned> || is_never_true<returned>,
                    "exprax: while_loop: cond_fun must return a boolean scalar, but returns the type that this message names");
      if constexpr (!carry::ok || !(is_a_boolean_scalar<returned> || is_never_true<returned>)) {
        return lift_tree(init);  // after the error: avoids further ones
      } else if constexpr (takes_arrays<Init> && is_stateless<Cond> && is_stateless<Body>) {
        return jit(while_of<Cond, Body>{})(init);
      } else if constexpr (Defers && is_free<Init> && is_stateless<Cond> && is_stateless<Body>) {
        return defer<while_of<Cond, Body>>([&] { return while_loop<false>(cond_fun, body_fun, init); }, init);
      } else if constexpr (is_never_true<returned>) {
        return start_from<start>(lift_tree(init));
      } else {
        return record_while<last>(cond_fun, body_fun, start_from<start>(lift_tree(init)));
      }
    }
  }
}

template <class Cond, class Body>
template <class Init>
constexpr auto detail::while_of<Cond, Body>::operator()(Init const& init) const {
  return while_loop(Cond{}, Body{}, init);
}

}  // namespace exprax
