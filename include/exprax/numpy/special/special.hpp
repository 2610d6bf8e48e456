// SPDX-License-Identifier: BSL-1.0
// ex::special (jax.scipy.special): functions that are short formulas of others, with the values at 0 and at infinity that SciPy gives
// them: logarithms and entropies, gamma and beta functions, normal distributions. Half numbers are computed in float. Integers become
// float32 (x64: float64); complex numbers are refused.
// Longer than 300 lines: many functions of a few lines each.
#pragma once

#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/elementwise/float_parts.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/elementwise/transcendental.hpp>
#include <exprax/numpy/reductions/logsumexp.hpp>
#include <exprax/numpy/reductions/reductions.hpp>

namespace exprax {

namespace detail {

// Body{}(x...) on operands of one floating dtype: that to which they promote, float for half numbers.
template <class Body>
struct special_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    using type = inexact_t<promote_t<type_in<X>...>>;
    using computed = computed_in_t<type>;
    static_assert(!is_complex(dtype_of<type>), "exprax: special: this function does not support complex-valued inputs");
    return as_expr<type>(Body{}(expr_like<X, computed>(as_expr<computed>(as_expr<type>(x)))...));
  }
};
template <class Body, class... X>
constexpr auto special_call(X const&... x) {
  static_assert(detail::broadcasts<X...>, EXPRAX_SHAPES("special"));
  return apply<special_op<Body>>(x...);
}
inline constexpr double infinity = std::numeric_limits<double>::infinity(), no_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double log_of_root_of_2_pi = 0.9189385332046727;

struct logit_body {
  constexpr auto operator()(auto const& x) const { return log(x / (1 - x)); }
};
struct xlogy_body {
  constexpr auto operator()(auto const& x, auto const& y) const { return where((x != 0) | isnan(y), x * log(y), 0); }
};
struct xlog1py_body {
  constexpr auto operator()(auto const& x, auto const& y) const { return where((x != 0) | isnan(y), x * log1p(y), 0); }
};
struct entr_body {
  constexpr auto operator()(auto const& x) const { return where(x < 0, -infinity, -xlogy_body{}(x, x)); }
};
struct rel_entr_body {
  constexpr auto operator()(auto const& p, auto const& q) const {
    auto const both = (p > 0) & (q > 0);
    auto const some = where(both, p, 1), other = where(both, q, 1);
    return where(isnan(p) | isnan(q), no_number, where(both, log(some / other) * some, where((p == 0) & (q >= 0), 0, infinity)));
  }
};
struct kl_div_body {
  constexpr auto operator()(auto const& p, auto const& q) const { return rel_entr_body{}(p, q) - p + q; }
};
struct boxcox_body {
  constexpr auto operator()(auto const& x, auto const& lambda) const { return of(log(x), lambda); }
  static constexpr auto of(auto const& log_x, auto const& lambda) {
    return where(lambda == 0, log_x, expm1(lambda * log_x) / where(lambda == 0, 1, lambda));
  }
};
struct boxcox1p_body {
  constexpr auto operator()(auto const& x, auto const& lambda) const { return boxcox_body::of(log1p(x), lambda); }
};

struct gammasgn_body {
  constexpr auto operator()(auto const& x) const {
    auto const below = floor(x);
    auto const is_odd = floor(below / 2) * 2 != below;
    return where(((x < 0) & (x == below)) | isnan(x), no_number, where(((x < 0) & is_odd) | ((x == 0) & signbit(x)), -1, ones_like(x)));
  }
};
struct betaln_body {
  constexpr auto operator()(auto const& a, auto const& b) const { return lgamma(a) + lgamma(b) - lgamma(a + b); }
};
struct beta_function_body {
  constexpr auto operator()(auto const& a, auto const& b) const {
    return gammasgn_body{}(a) * gammasgn_body{}(b) * gammasgn_body{}(a + b) * exp(betaln_body{}(a, b));
  }
};
struct factorial_body {
  constexpr auto operator()(auto const& n) const { return where(n < 0, 0, tgamma(n + 1)); }
};
struct comb_body {
  constexpr auto operator()(auto const& n, auto const& k) const {
    auto const valid = (k <= n) & (n >= 0) & (k >= 0);
    auto const from = where(valid, n, 0), take = where(valid, k, 0);
    return where(valid, exp(lgamma(from + 1) - lgamma(take + 1) - lgamma(from + 1 - take)), 0);
  }
};
struct poch_body {
  constexpr auto operator()(auto const& z, auto const& m) const { return where(m == 0, 1, tgamma(z + m) / tgamma(z)); }
};
// log of pi^(d (d - 1) / 4) times the product of gamma(a - j / 2), j = 0 to d - 1.
template <int D>
struct multigammaln_body {
  constexpr auto operator()(auto const& a) const {
    auto sum = lgamma(a) + 0.25 * D * (D - 1) * 1.1447298858494002;
    for (int j = 1; j < D; ++j) sum = sum + lgamma(a - 0.5 * j);
    return sum;
  }
};

// Half of erfc of -x / sqrt(2), which keeps the digits of small results.
struct ndtr_body {
  constexpr auto operator()(auto const& x) const { return 0.5 * erfc(x * -0.7071067811865476); }
};
// Where that vanishes, the expansion of erfc at infinity (Abramowitz and Stegun 26.2.12).
struct log_ndtr_body {
  constexpr auto operator()(auto const& x) const {
    auto const far = minimum(x, -12), y = 1 / square(far);
    auto series = 1 - 25 * y;
    for (int k = 23; k > 0; k -= 2) series = 1 - k * y * series;
    auto const tail = -0.5 * square(far) - log(-far) - log_of_root_of_2_pi + log(series);
    auto const near = maximum(x, -12);
    return where(x < -12, tail, where(x > 1, log1p(-ndtr_body{}(-x)), log(ndtr_body{}(minimum(near, 1)))));
  }
};
// By erf_inv around the middle; at the ends two steps of Newton's method on the logarithm of ndtr, of which -sqrt(-2 log p) is the start.
struct ndtri_body {
  constexpr auto operator()(auto const& p) const {
    auto const upper = p > 0.5;
    auto const q = where(upper, 1 - p, p);
    auto const bounded = minimum(maximum(q, std::numeric_limits<float>::min()), 0.5);
    auto const middle = 1.4142135623730951 * erf_inv(2 * bounded - 1);
    auto const small = minimum(where(q > 0, q, 0.01), 0.02);
    auto const target = log(small);
    auto x = -sqrt(-2 * target);
    for (int i = 0; i < 4; ++i) {
      auto const value = log_ndtr_body{}(x);
      x = x - (value - target) * exp(value + 0.5 * square(x) + log_of_root_of_2_pi);
    }
    auto const r = where(q < 0.02, x, middle);
    auto const lower = where(q == 0, -infinity, where((q < 0) | isnan(q), no_number, r));
    return where(upper, -lower, lower);
  }
};

}  // namespace detail

namespace special {

using exprax::digamma;
using exprax::erf;
using exprax::erfc;
using exprax::expit;
using exprax::logsumexp;

// The inverse of erf, the logarithm of |gamma(x)|, and gamma(x). Shape of x, floating dtype (jax.scipy.special.erfinv, gammaln, gamma).
inline constexpr struct erfinv_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return exprax::erf_inv(x);
  }
} erfinv{};
inline constexpr struct gammaln_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return exprax::lgamma(x);
  }
} gammaln{};
inline constexpr struct gamma_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return exprax::tgamma(x);
  }
} gamma{};
// log(x / (1 - x)), the inverse of expit. Shape of x, floating dtype (jax.scipy.special.logit).
inline constexpr struct logit_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::special_call<detail::logit_body>(x);
  }
} logit{};
// x log(y), 0 where x is 0. Shapes broadcast; promoted floating dtype (jax.scipy.special.xlogy).
inline constexpr struct xlogy_function {
  template <array_like X, array_like Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return detail::special_call<detail::xlogy_body>(x, y);
  }
} xlogy{};
// x log(1 + y), 0 where x is 0. Shapes broadcast; promoted floating dtype (jax.scipy.special.xlog1py).
inline constexpr struct xlog1py_function {
  template <array_like X, array_like Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return detail::special_call<detail::xlog1py_body>(x, y);
  }
} xlog1py{};
// -x log(x); 0 at 0, -infinity below. Shape of x, floating dtype (jax.scipy.special.entr).
inline constexpr struct entr_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::special_call<detail::entr_body>(x);
  }
} entr{};
// x log(x / y) where both are positive; 0 where x is 0 and y is not negative, infinity elsewhere. Shapes broadcast; promoted floating
// dtype (jax.scipy.special.rel_entr).
inline constexpr struct rel_entr_function {
  template <array_like X, array_like Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return detail::special_call<detail::rel_entr_body>(x, y);
  }
} rel_entr{};
// x log(x / y) - x + y, with the special values of rel_entr. Shapes broadcast; promoted floating dtype (jax.scipy.special.kl_div).
inline constexpr struct kl_div_function {
  template <array_like X, array_like Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return detail::special_call<detail::kl_div_body>(x, y);
  }
} kl_div{};
// (x^y - 1) / y, log(x) where y is 0. Shapes broadcast; promoted floating dtype (jax.scipy.special.boxcox).
inline constexpr struct boxcox_function {
  template <array_like X, array_like Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return detail::special_call<detail::boxcox_body>(x, y);
  }
} boxcox{};
// boxcox(1 + x, y), accurate for small x. Shapes broadcast; promoted floating dtype (jax.scipy.special.boxcox1p).
inline constexpr struct boxcox1p_function {
  template <array_like X, array_like Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return detail::special_call<detail::boxcox1p_body>(x, y);
  }
} boxcox1p{};
// The sign of gamma(x): 1 or -1, NaN at negative integers. Shape of x, floating dtype (jax.scipy.special.gammasgn).
inline constexpr struct gammasgn_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::special_call<detail::gammasgn_body>(x);
  }
} gammasgn{};
// The logarithm of |beta(x, y)|. Shapes broadcast; promoted floating dtype (jax.scipy.special.betaln).
inline constexpr struct betaln_function {
  template <array_like X, array_like Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return detail::special_call<detail::betaln_body>(x, y);
  }
} betaln{};
// gamma(x) gamma(y) / gamma(x + y). Shapes broadcast; promoted floating dtype (jax.scipy.special.beta).
inline constexpr struct beta_function {
  template <array_like X, array_like Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return detail::special_call<detail::beta_function_body>(x, y);
  }
} beta{};
// gamma(x + 1), 0 for negative numbers. Shape of x, floating dtype (jax.scipy.special.factorial).
inline constexpr struct factorial_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::special_call<detail::factorial_body>(x);
  }
} factorial{};
// The number of ways to choose y out of x; 0 where y > x, or one of them is negative. Shapes broadcast; promoted floating dtype
// (jax.scipy.special.comb).
inline constexpr struct comb_function {
  template <array_like X, array_like Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return detail::special_call<detail::comb_body>(x, y);
  }
} comb{};
// gamma(x + y) / gamma(x), 1 where y is 0 (Pochhammer's symbol). Shapes broadcast; promoted floating dtype (jax.scipy.special.poch).
inline constexpr struct poch_function {
  template <array_like X, array_like Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return detail::special_call<detail::poch_body>(x, y);
  }
} poch{};
// The cumulative distribution function of the normal distribution at x. Shape of x, floating dtype (jax.scipy.special.ndtr).
inline constexpr struct ndtr_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::special_call<detail::ndtr_body>(x);
  }
} ndtr{};
// The logarithm of ndtr(x), without underflow for x far below 0. Shape of x, floating dtype (jax.scipy.special.log_ndtr).
inline constexpr struct log_ndtr_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::special_call<detail::log_ndtr_body>(x);
  }
} log_ndtr{};
// The inverse of ndtr: -infinity at 0, infinity at 1, NaN outside of [0, 1]. Shape of x, floating dtype (jax.scipy.special.ndtri).
inline constexpr struct ndtri_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::special_call<detail::ndtri_body>(x);
  }
} ndtri{};
// The logarithm of the multivariate gamma function of dimension D: multigammaln<3>(x). Shape of x, floating dtype. Refused: D below 1
// (jax.scipy.special.multigammaln).
template <int D, array_like X>
constexpr auto multigammaln(X const& x) {
  static_assert(D > 0, "exprax: special::multigammaln: the dimension must be positive");
  return detail::special_call<detail::multigammaln_body<D>>(x);
}

}  // namespace special

}  // namespace exprax
