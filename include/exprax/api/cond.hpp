// SPDX-License-Identifier: BSL-1.0
// cond(pred, true_fun, false_fun, operands...): true_fun(operands...) or false_fun(operands...) (jax.lax.cond). pred is a scalar,
// a bool or a number that is compared with 0. Both functions are traced, and may capture traced values; one of them is run.
//
// A pred that is known while tracing records nothing but its branch; where it is a constant of a type (std::true_type,
// ex::static_<true>, a Hana constant), the other branch is not even instantiated.
#pragma once

#include <exprax/api/branches.hpp>

namespace exprax {

namespace detail {

// Its argument is printed with the static_assert.
template <class Pred>
inline constexpr bool is_a_scalar = scalar<Pred>;
template <class T>
inline constexpr bool is_a_scalar<expr<T>> = true;

template <class T>
constexpr expr<bool> is_not_zero(expr<T> const& x) {
  if constexpr (is_bool(dtype_of<T>)) return x;
  else return bind<expr<bool>>(prim::ne, {}, x, lit<T>{0});
}

template <class Pred, class True, class False, class... Operands>
constexpr auto trace_cond(Pred const& pred, True const& true_fun, False const& false_fun, Operands... operands) {
  if constexpr (static_constant<Pred>) {
    if constexpr (Pred::value != 0) return lift_tree(true_fun(operands...));
    else return lift_tree(false_fun(operands...));
  } else {
    using joined = joined_results<choice::cond, branch_result<True, Operands...>, branch_result<False, Operands...>>;
    using result = typename joined::type;
    if constexpr (!joined::ok) {
      return result{};  // after the error: nothing that leads to others
    } else if constexpr (scalar<Pred>) {
      if (pred != Pred(0)) return as_result<result>(lift_tree(true_fun(operands...)));
      return as_result<result>(lift_tree(false_fun(operands...)));
    } else {
      expr<bool> const holds = is_not_zero(pred);
      int const order[] = {1, 0};
      auto const index = [&] { return convert_to<std::int32_t>(holds); };  // recorded after the branches, as in JAX
      std::tuple<True const&, False const&> const functions(true_fun, false_fun);
      return record_branches<result>(index, expr_access::get(holds), functions, order, operands...);
    }
  }
}

// cond as a stateless callable, for arrays.
template <class True, class False>
struct cond_of {
  template <class Pred, class... Operands>
  constexpr auto operator()(Pred const& pred, Operands const&... operands) const {
    return trace_cond(pred, True{}, False{}, lift_tree(operands)...);
  }
};

template <class X>
constexpr decltype(auto) lift_unless_known(X const& x) {
  if constexpr (scalar<X> || static_constant<X>) return (x);
  else return lift_tree(x);
}

}  // namespace detail

template <class Pred, class True, class False, class... Operands>
constexpr auto cond(Pred const& pred, True const& true_fun, False const& false_fun, Operands const&... operands) {
  if constexpr (detail::check_arguments<Pred, Operands...>()) {
    constexpr bool is_scalar = detail::static_constant<Pred> || detail::is_a_scalar<detail::to_expr_t<Pred>>;
    static_assert(is_scalar || detail::is_a_scalar<detail::to_expr_t<Pred>>,
                  "exprax: cond: Pred must be a scalar: this message names its type. Use ex::any, ex::all or ex::where");
    if constexpr (!is_scalar) return none;  // after the error: nothing that leads to others
    else if constexpr (detail::takes_arrays<Pred, Operands...> && detail::is_stateless<True> && detail::is_stateless<False>)
      return jit(detail::cond_of<True, False>{})(pred, operands...);
    else return detail::trace_cond(detail::lift_unless_known(pred), true_fun, false_fun, detail::lift_tree(operands)...);
  }
}

}  // namespace exprax
