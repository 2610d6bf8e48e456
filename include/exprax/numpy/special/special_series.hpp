// SPDX-License-Identifier: BSL-1.0
// ex::special (jax.scipy.special): functions that are sums and continued fractions, whose loops run until all elements have their
// digits: gammainc, gammaincc, betainc; zeta (Hurwitz) and polygamma. Also lax::igamma, igammac, betainc, zeta, polygamma.
// Integers become float32 (x64: float64); complex numbers are refused.
#pragma once

#include <exprax/api/derivatives/custom_jvp.hpp>
#include <exprax/api/derivatives/jvp.hpp>
#include <exprax/numpy/core/identities.hpp>
#include <exprax/numpy/special/special.hpp>

namespace exprax {

namespace detail {

inline constexpr double tiny_number = 1e-30;  // in place of a zero that something is divided by

template <class X>
inline constexpr double epsilon_in = std::is_same_v<strong_t<typename X::dtype_type>, float> ? 0x1p-24 : 0x1p-53;
template <class... X>
using meeting_expr = with_dtype_t<expr_from<common_shape<X...>>, std::common_type_t<strong_t<typename X::dtype_type>...>>;
template <class Out, class X>
constexpr Out spread_to(X const& x) {
  return broadcast_shape<shape_in<Out>>(as_expr<typename Out::dtype_type>(x));
}
template <class Out>
constexpr Out all_of_number(Out const& like, double v) {
  return constant_like<Out>(like, convert_number<typename Out::value_type>(v));
}

// The incomplete gamma functions of order a, but for the factor x^a e^-x / gamma(a).
struct gammainc_sums {
  // Of the lower one, for x < a + 1: the sum of x^k / (a (a + 1) ... (a + k)).
  template <class X>
  static constexpr X series(X const& a, X const& x) {
    auto const go_on = [](auto const& s) { return any(std::get<0>(s) > std::get<1>(s) * epsilon_in<X>); };
    auto const step = [x](auto const& s) {
      X const next = std::get<0>(s) * x / std::get<2>(s);
      return std::tuple(next, X(std::get<1>(s) + next), X(std::get<2>(s) + 1));
    };
    X const first = 1 / a;
    return std::get<1>(while_loop(go_on, step, std::tuple(first, first, X(a + 1))));
  }
  // Of the upper one, for others: Lentz's method. `change` is how much a step changes the result, where k - a counts as at least 1/2: the
  // fraction ends at whole a, but its derivative by a goes on.
  template <class X>
  static constexpr X fraction(X const& a, X const& x) {
    X const b = x + 1 - a, none = all_of_number(x, 1);
    X const d = 1 / where(abs(b) < tiny_number, tiny_number, b);
    auto const go_on = [](auto const& s) { return any(std::get<4>(s) > 2 * epsilon_in<X>) & all(std::get<5>(s) < 2000); };
    auto const step = [a](auto const& s) {
      auto const& [b0, c0, d0, h0, change0, k] = s;
      X const an = -k * (k - a), b1 = b0 + 2;
      X const d1 = an * d0 + b1, c1 = b1 + an / c0;
      X const inverse = 1 / where(abs(d1) < tiny_number, tiny_number, d1), c2 = where(abs(c1) < tiny_number, tiny_number, c1),
              by = inverse * c2;
      X const change = change0 * stop_gradient(k * maximum(abs(k - a), 0.5) * abs(inverse / c0));
      return std::tuple(b1, c2, inverse, X(h0 * by), change, X(k + 1));
    };
    X const change = stop_gradient(abs(d) / tiny_number);
    return std::get<3>(while_loop(go_on, step, std::tuple(b, all_of_number(x, 1 / tiny_number), d, d, change, none)));
  }
};
// The lower incomplete gamma function over gamma(a): below a + 1 by its power series; above by the continued fraction of the upper one
// (Abramowitz and Stegun 6.5.29, 6.5.31).
template <bool Upper>
struct gammainc_value {
  template <class out>
  constexpr auto operator()(out const& a, out const& x) const {
    auto const is_nan = isnan(a) | isnan(x) | (x < 0) | (a < 0) | ((a == 0) & (x == 0)) | ((a == infinity) & (x == infinity));
    auto const empty = (x == 0) | (a == infinity), full = (x == infinity) | (a == 0);
    auto const usual = ~(is_nan | empty | full);
    out const order = where(usual, a, 1), at = where(usual, x, 1);
    auto const by_series = at < order + 1;
    out const scale = exp(order * log(at) - at - lgamma(order));
    out const lower = gammainc_sums::series(where(by_series, order, 1), where(by_series, at, 1)) * scale;
    out const upper = gammainc_sums::fraction(where(by_series, 1, order), where(by_series, 3, at)) * scale;
    if constexpr (Upper) return where(is_nan, no_number, where(empty, 1, where(full, 0, where(by_series, 1 - lower, upper))));
    else return where(is_nan, no_number, where(empty, 0, where(full, 1, where(by_series, lower, 1 - upper))));
  }
};

template <bool Upper>
struct gammainc_by_order {
  template <class X>
  constexpr X operator()(X const& a, X const& x) const {
    auto const [value, by_a] = jvp([x](auto const& order) { return gammainc_value<Upper>{}(X(order), x); }, std::tuple(a),
                                   std::tuple(all_of_number(a, 1)));
    static_cast<void>(value);
    return by_a;
  }
};
// By a the tangent of the loops, by x in closed form.
template <bool Upper>
struct gammainc_rule {
  template <class X>
  constexpr auto operator()(std::tuple<X, X> const& at, X const&, std::tuple<X, X> const& by) const {
    auto const& [a, x] = at;
    auto const& [da, dx] = by;
    X const by_a = function_of_elements<gammainc_by_order<Upper>>{}(a, x);
    X const density = exp((a - 1) * log(x) - x - lgamma(a));
    X const by_x = Upper ? X(-density) : density;
    return X(by_a * da + by_x * dx);
  }
};
template <bool Upper>
struct gammainc_body {
  template <class A, class X>
  constexpr auto operator()(A const& a, X const& x) const {
    using out = meeting_expr<A, X>;
    return custom_jvp_of_results(gammainc_value<Upper>{}, gammainc_rule<Upper>{})(spread_to<out>(a), spread_to<out>(x));
  }
};

// The regularized incomplete beta function by its continued fraction (Abramowitz and Stegun 26.5.8), of 1 - x where that converges sooner.
struct betainc_value {
  template <class out>
  constexpr auto operator()(out const& a0, out const& b0, out const& x0) const {
    auto const is_nan =
        isnan(a0) | isnan(b0) | isnan(x0) | (a0 < 0) | (b0 < 0) | (x0 < 0) | (x0 > 1) | ((a0 == 0) & (b0 == 0)) | (isinf(a0) & isinf(b0));
    auto const is_zero = (x0 == 0) | (b0 == 0) | isinf(a0), is_one = (x0 == 1) | (a0 == 0) | isinf(b0);
    auto const usual = ~(is_nan | is_zero | is_one);
    out const a = where(usual, a0, 1), b = where(usual, b0, 1), x = where(usual, x0, 0.25);
    auto const at_once = x < (a + 1) / (a + b + 2);
    out const scale = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    out const p = where(at_once, a, b), q = where(at_once, b, a), y = where(at_once, x, 1 - x);
    out const part = scale * fraction(p, q, y) / p;
    auto const r = where(at_once, part, 1 - part);
    return where(is_nan, no_number, where(is_zero & (x0 != 1), 0, where(is_one, 1, r)));
  }

 private:
  // `change` is how much a step changes the result, where m - b counts as at least 1/2: the fraction ends at whole b, but its derivative by
  // b goes on.
  template <class X>
  static constexpr X fraction(X const& a, X const& b, X const& x) {
    auto const safe = [](X const& v) { return X(where(abs(v) < tiny_number, tiny_number, v)); };
    X const one = all_of_number(x, 1), d = 1 / safe(1 - (a + b) * x / (a + 1));
    auto const go_on = [](auto const& s) { return any(std::get<3>(s) > 2 * epsilon_in<X>) & all(std::get<4>(s) < 1000); };
    auto const step = [a, b, x, safe](auto const& s) {
      auto const& [c0, d0, h0, change0, m] = s;
      X const by_b = m * x / ((a + 2 * m - 1) * (a + 2 * m)), odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      X const even = by_b * (b - m);
      X const d1 = 1 / safe(1 + even * d0), c1 = safe(1 + even / c0), h1 = h0 * d1 * c1;
      X const d2 = 1 / safe(1 + odd * d1), c2 = safe(1 + odd / c1), by = d2 * c2;
      X const change = change0 * stop_gradient(by_b * maximum(abs(b - m), 0.5) * abs(odd * d1 * d2 / (c0 * c1)));
      return std::tuple(c2, d2, X(h1 * by), change, X(m + 1));
    };
    return std::get<2>(while_loop(go_on, step, std::tuple(one, d, d, X(stop_gradient(abs(d - 1))), one)));
  }
};

// By a and b the tangents of the loop, by x in closed form.
struct betainc_rule {
  template <class X>
  constexpr auto operator()(std::tuple<X, X, X> const& at, X const&, std::tuple<X, X, X> const& by) const {
    auto const& [a, b, x] = at;
    auto const& [da, db, dx] = by;
    X const by_a = function_of_elements<along<true>>{}(a, b, x), by_b = function_of_elements<along<false>>{}(a, b, x);
    X const by_x = exp((a - 1) * log(x) + (b - 1) * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b));
    return X(by_a * da + by_b * db + by_x * dx);
  }

 private:
  template <bool A>
  struct along {
    template <class X>
    constexpr X operator()(X const& a, X const& b, X const& x) const {
      auto const of = [a, b, x](auto const& p) { return betainc_value{}(A ? X(p) : a, A ? b : X(p), x); };
      auto const [value, slope] = jvp(of, std::tuple(A ? a : b), std::tuple(all_of_number(a, 1)));
      static_cast<void>(value);
      return slope;
    }
  };
};
struct betainc_body {
  template <class A, class B, class X>
  constexpr auto operator()(A const& a, B const& b, X const& x) const {
    using out = meeting_expr<A, B, X>;
    return custom_jvp_of_results(betainc_value{}, betainc_rule{})(spread_to<out>(a), spread_to<out>(b), spread_to<out>(x));
  }
};

// Sum of (q + k)^-x: ten terms, and the others by Euler and Maclaurin with ten Bernoulli numbers.
struct zeta_body {
  template <class X, class Q>
  constexpr auto operator()(X const& given_x, Q const& given_q) const {
    using out = meeting_expr<X, Q>;
    out const x0 = spread_to<out>(given_x), q0 = spread_to<out>(given_q);
    auto const whole_q = floor(q0) == q0;
    auto const is_infinite = (x0 == 1) | ((q0 <= 0) & whole_q & (x0 > 1));
    auto const is_nan = isnan(x0) | isnan(q0) | (x0 < 1) | ((q0 <= 0) & ~whole_q & (floor(x0) != x0));
    auto const usual = ~(is_infinite | is_nan);
    out const x = where(usual, x0, 2), q = where(usual, q0, 1);
    // B(2k) / (2k)!
    constexpr double b[] = {1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160, -691.0 / 1307674368000, 1.0 / 74724249600,
                            -3617.0 / 10670622842880000, 43867.0 / 5109094217170944000, -174611.0 / 802857662698291200000.0};
    out sum = power(q, -x);
    for (int k = 1; k < 10; ++k) sum = sum + power(q + k, -x);
    out const end = q + 10, last = power(end, -x);
    out factor = x / end, tail = factor * b[0];
    for (int k = 1; k < 10; ++k) {
      factor = factor * (x + (2 * k - 1)) * (x + 2 * k) / square(end);
      tail = tail + factor * b[k];
    }
    out const r = sum + last * (end / (x - 1) + 0.5 + tail);
    return where(
        is_nan, no_number,
        where(is_infinite, infinity, where((q0 == infinity), 0, where(x0 == infinity, where(q0 > 1, 0, where(q0 == 1, 1, infinity)), r))));
  }
};
// (-1)^(n + 1) n! zeta(n + 1, x); digamma for n = 0.
struct polygamma_body {
  template <class N, class X>
  constexpr auto operator()(N const& given_n, X const& given_x) const {
    using out = meeting_expr<N, X>;
    out const n = spread_to<out>(given_n), x = spread_to<out>(given_x);
    auto const is_odd = floor(n / 2) * 2 != n;
    auto const size = tgamma(n + 1) * zeta_body{}(out(n + 1), x);
    return where((n < 0) | (floor(n) != n), no_number, where(n == 0, digamma(x), where(is_odd, size, -size)));
  }
};

}  // namespace detail

namespace special {

// The lower incomplete gamma function of order a up to x over gamma(a), and the upper one, gammaincc = 1 - gammainc; NaN for negative a or
// x. Shapes broadcast; promoted floating dtype (jax.scipy.special.gammainc, gammaincc).
inline constexpr struct gammainc_function {
  template <array_like A, array_like X>
  constexpr auto operator()(A const& a, X const& x) const {
    return detail::special_call<detail::gammainc_body<false>>(a, x);
  }
} gammainc{};
inline constexpr struct gammaincc_function {
  template <array_like A, array_like X>
  constexpr auto operator()(A const& a, X const& x) const {
    return detail::special_call<detail::gammainc_body<true>>(a, x);
  }
} gammaincc{};
// The incomplete beta function of a and b up to x over beta(a, b); NaN for negative a or b, and for x outside of [0, 1]. Shapes broadcast;
// promoted floating dtype (jax.scipy.special.betainc).
inline constexpr struct betainc_function {
  template <array_like A, array_like B, array_like X>
  constexpr auto operator()(A const& a, B const& b, X const& x) const {
    return detail::special_call<detail::betainc_body>(a, b, x);
  }
} betainc{};
// The sum of (q + k)^-x for k = 0, 1, ... (Hurwitz's zeta function); NaN for x < 1, infinity at x = 1. Shapes broadcast; promoted floating
// dtype (jax.scipy.special.zeta).
inline constexpr struct zeta_function {
  template <array_like X, array_like Q>
  constexpr auto operator()(X const& x, Q const& q) const {
    return detail::special_call<detail::zeta_body>(x, q);
  }
} zeta{};
// The n-th derivative of digamma; NaN where n is negative or no whole number. Shapes broadcast; promoted floating dtype
// (jax.scipy.special.polygamma).
inline constexpr struct polygamma_function {
  template <array_like N, array_like X>
  constexpr auto operator()(N const& n, X const& x) const {
    return detail::special_call<detail::polygamma_body>(n, x);
  }
} polygamma{};

}  // namespace special

namespace lax {

using special::betainc;
using special::polygamma;
using special::zeta;
// special::gammainc and gammaincc (jax.lax.igamma, igammac).
inline constexpr struct igamma_function {
  template <array_like A, array_like X>
  constexpr auto operator()(A const& a, X const& x) const {
    return special::gammainc(a, x);
  }
} igamma{};
inline constexpr struct igammac_function {
  template <array_like A, array_like X>
  constexpr auto operator()(A const& a, X const& x) const {
    return special::gammaincc(a, x);
  }
} igammac{};

}  // namespace lax

}  // namespace exprax
