// SPDX-License-Identifier: BSL-1.0
// cond(pred, true_fun, false_fun, operands...): true_fun(operands...) or false_fun(operands...) (jax.lax.cond). pred is a scalar, a bool or
// a number that is compared with 0. Both functions are traced, and may capture traced values; one of them runs.
//
// If pred is known while tracing, only its branch is recorded; if it is a constant of a type (std::true_type, ex::static_<true>, a Hana
// constant), the other branch is not even instantiated.
#pragma once

#include <exprax/api/control/branches.hpp>

namespace exprax {

namespace detail {

// Compilers print its argument with the static_assert.
template <class Pred>
inline constexpr bool is_a_scalar = scalar<Pred>;
template <class T>
inline constexpr bool is_a_scalar<expr<T>> = true;

template <class T>
constexpr expr<bool> is_not_zero(expr<T> const& x) {
  if constexpr (is_bool(dtype_of<T>)) return x;
  else return detail::bind<expr<bool>>(prim::ne, {}, x, lit<T>{0});
}

// f on lifted operands; the result has the common type of the branches.
template <class Result, class F, class... Operands>
constexpr Result run_branch(F const& f, Operands... operands) {
  return start_from<Result>(lift_tree(f(operands...)));
}
template <class F, class... Operands>
constexpr auto run_known_branch(F const& f, Operands... operands) {
  return lift_tree(f(operands...));
}

template <class Result, class T, class True, class False, class... Operands>
constexpr Result record_cond(expr<T> const& pred, True const& true_fun, False const& false_fun, Operands const&... operands) {
  with_dtype_t<expr<T>, bool> const holds = is_not_zero(pred);  // depends on a template parameter: nothing is instantiated before
  auto const index = [&] { return convert_to<std::int32_t>(holds); };  // recorded after the branches, as in JAX
  std::tuple<True const&, False const&> const functions(true_fun, false_fun);
  int const order[] = {1, 0};
  return record_branches<Result>(index, expr_access::get(holds), functions, order, operands...);
}

// cond as a stateless callable, for arrays.
template <class True, class False>
struct cond_of {
  template <class Pred, class... Operands>
  constexpr auto operator()(Pred const& pred, Operands const&... operands) const;
};

}  // namespace detail

template <bool Defers = true, class Pred, class True, class False, class... Operands>
constexpr auto cond(Pred const& pred, True const& true_fun, False const& false_fun, Operands const&... operands) {
  using namespace detail;
  if constexpr (check_arguments<Pred, Operands...>()) {
    using type = to_expr_t<Pred>;
    static_assert(static_constant<Pred> || is_a_scalar<type>,
                  "exprax: cond: Pred must be a scalar: this message names its type. Use ex::any, ex::all or ex::where");
    if constexpr (!static_constant<Pred> && !is_a_scalar<type>) {
      return none;  // after the error: avoids further ones
    } else if constexpr (static_constant<Pred>) {
      if constexpr (takes_arrays<Pred, Operands...> && is_stateless<True> && is_stateless<False>)
        return jit(cond_of<True, False>{})(pred, operands...);
      else if constexpr (Defers && is_free<Pred, Operands...> && is_stateless<True> && is_stateless<False>)
        return defer<cond_of<True, False>>([&] { return cond<false>(pred, true_fun, false_fun, operands...); }, pred, operands...);
      else if constexpr (Pred::value != 0) return run_known_branch(true_fun, lift_tree(operands)...);
      else return run_known_branch(false_fun, lift_tree(operands)...);
    } else if constexpr (!can_be_called<True, to_expr_t<Operands>...> || !can_be_called<False, to_expr_t<Operands>...>) {
      static_assert(can_be_called<True, to_expr_t<Operands>...>,
                    "exprax: cond: true_fun cannot be called with the operands, whose types this message names: both branches take all of "
                    "them");
      static_assert(can_be_called<False, to_expr_t<Operands>...>,
                    "exprax: cond: false_fun cannot be called with the operands, whose types this message names: both branches take all of "
                    "them");
      return none;
    } else {
      using joined = joined_results<branch_result<True, to_expr_t<Operands>...>, branch_result<False, to_expr_t<Operands>...>>;
      using result = typename joined::type;
      static_assert(branches_return_one_structure<typename joined::structure_at, result, typename joined::structure>,
                    "exprax: cond branch outputs must have the same pytree structure, but they differ: this message names that of true_fun "
                    "and that of false_fun");
      static_assert(
          branches_return_one_type<typename joined::type_at, typename joined::leaf_at, typename joined::before, typename joined::after>,
          "exprax: cond branches must have equal output types but they differ: this message names the component, the type of the output of "
          "true_fun and that of false_fun. Revise true_fun and/or false_fun so that all output types match");
      if constexpr (joined::ok && takes_arrays<Pred, Operands...> && is_stateless<True> && is_stateless<False>)
        return jit(cond_of<True, False>{})(pred, operands...);
      else if constexpr (joined::ok && Defers && is_free<Pred, Operands...> && is_stateless<True> && is_stateless<False>)
        return defer<cond_of<True, False>>([&] { return cond<false>(pred, true_fun, false_fun, operands...); }, pred, operands...);
      else if constexpr (!joined::ok) return after_an_error<Pred, Operands...>();
      else if constexpr (!scalar<Pred>) return record_cond<result>(lift_tree(pred), true_fun, false_fun, lift_tree(operands)...);
      else if (pred != Pred(0)) return run_branch<result>(true_fun, lift_tree(operands)...);
      else return run_branch<result>(false_fun, lift_tree(operands)...);
    }
  }
}

template <class True, class False>
template <class Pred, class... Operands>
constexpr auto detail::cond_of<True, False>::operator()(Pred const& pred, Operands const&... operands) const {
  return cond(pred, True{}, False{}, operands...);
}

}  // namespace exprax
