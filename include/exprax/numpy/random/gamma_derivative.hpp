// SPDX-License-Identifier: BSL-1.0
// The derivative of gamma numbers by the parameter of their distribution (jax.lax.random_gamma_grad).
#pragma once

#include <exprax/numpy/core/identities.hpp>
#include <exprax/numpy/special/special_series.hpp>

namespace exprax {

namespace detail {

struct gamma_number {
  template <class X>
  constexpr X operator()(X const& x, X const&) const {
    return x;
  }
};
// The probability of smaller numbers stays what it is.
template <bool Log>
struct gamma_number_rule {
  template <class T, int... D>
  constexpr auto operator()(std::tuple<expr<T, D...>, expr<T, D...>> const& at, expr<T, D...> const& x,
                            std::tuple<expr<T, D...>, expr<T, D...>> const& by) const {
    using real = expr<std::conditional_t<is_half(dtype_of<T>), float, T>, D...>;
    using number = typename real::dtype_type;
    real const given = as_expr<number>(x), a = as_expr<number>(std::get<1>(at));
    expr<T, D...> const slope = as_expr<T>(function_of_elements<slopes>{}(given, a));
    return expr<T, D...>(std::get<0>(by) + slope * std::get<1>(by));
  }

 private:
  struct slopes {
    template <class X>
    constexpr X operator()(X const& given, X const& a) const {
      return slope_of(given, a);
    }
  };
  // The logarithm is given where the number is too small.
  template <class X>
  static constexpr X slope_of(X const& given, X const& a) {
    if constexpr (Log) {
      return of_logarithm(a, X(maximum(exp(given), std::numeric_limits<typename X::value_type>::min())), given);
    } else {
      auto const is_zero = given == 0;
      X const x = where(is_zero, 1, given);
      return where(is_zero & (a > 0), 0, x * of_logarithm(a, x, X(log(x))));
    }
  }
  // With P = S x^a e^-x / gamma(a), or 1 - P that: - dP/da / dP/dx / x, where the factor is in both.
  template <class X>
  static constexpr X of_logarithm(X const& a0, X const& x0, X const& log_x) {
    auto const usual = (a0 > 0) & (a0 < infinity) & (x0 < infinity) & (x0 > 0);
    X const a = where(usual, a0, 1), x = where(usual, x0, 1), one = constant_like<X>(a, 1);
    auto const by_series = x < a + 1;
    X const low = where(by_series, x, 1), high = where(by_series, 3, x);
    auto const [s, ds] = jvp([low](auto const& order) { return gammainc_sums::series(X(order), low); },
                             std::tuple(X(where(by_series, a, 1))), std::tuple(one));
    auto const [f, df] = jvp([high](auto const& order) { return gammainc_sums::fraction(X(order), high); },
                             std::tuple(X(where(by_series, 1, a))), std::tuple(one));
    X const of_factor = log_x - digamma(a);
    return where(usual, where(by_series, -(ds + s * of_factor), df + f * of_factor), no_number);
  }
};
// x: gamma numbers of orders a, without derivatives of their own; Log: their logarithms.
template <bool Log, class T, int... D>
constexpr expr<T, D...> with_gamma_derivative(expr<T, D...> const& x, expr<T, D...> const& a) {
  return custom_jvp_of_results(gamma_number{}, gamma_number_rule<Log>{})(x, a);
}

}  // namespace detail

}  // namespace exprax
