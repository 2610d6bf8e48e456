// SPDX-License-Identifier: BSL-1.0
// ex::special (jax.scipy.special): functions that are short formulas of others, with the values at 0 and at infinity that SciPy gives
// them: logarithms and entropies, gamma and beta functions, normal distributions, modified Bessel functions. Half numbers are computed in float.
// Integers become float32 (x64: float64); complex numbers are refused.
#pragma once

#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/elementwise/float_parts.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/elementwise/transcendental.hpp>
#include <exprax/numpy/functional/piecewise.hpp>
#include <exprax/numpy/reductions/logsumexp.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/numpy/special/window_functions.hpp>

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
  EXPRAX_BROADCASTS("special", X...);
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

// Chebyshev coefficients of i0e and i1e / x in x / 2 - 2 up to x = 8 halved, and of both times sqrt(x) in 32 / x - 2 halved beyond,
// by interpolation of SciPy's values at 64 points.
inline constexpr double i0e_near[] = {
    0.33839763720473803, -0.3046826723431984, 0.17162090152220874, -0.09490109704804764, 0.04930528423967066, -0.023737414805899457,
    0.010546460394594965, -0.004324309995050513, 0.0016394756169412703, -0.0005763755745387747, 0.00018850288509571211,
    -5.754195010052032e-05, 1.6448448070721655e-05, -4.416738358672956e-06, 1.1173875389819399e-06, -2.6707938508008233e-07,
    6.046994993624821e-08, -1.3000250251304912e-08, 2.659823861161925e-09, -5.189794705096062e-10, 9.675815010323774e-11,
    -1.7268138308157432e-11, 2.9548273550172865e-12, -4.854797119868692e-13, 7.668865542598269e-14, -1.1952244749480201e-14,
    2.1024848528838902e-15, -5.412337245047638e-16};
inline constexpr double i0e_far[] = {
    0.4022452055070544, 0.0033691164782557043, 6.889758346913417e-05, 2.8913705208619134e-06, 2.0489185890808226e-07,
    2.2666689872274937e-08, 3.3962320156698256e-09, 4.940602371661384e-10, 1.1889120764274619e-11, -3.149929622692227e-11,
    -1.3215861998511214e-11, -1.7940718355369256e-12, 7.180623283475907e-13, 3.85122489454659e-13, 1.534883331544279e-14,
    -4.141131881851834e-14, -9.769962616701378e-15, 3.774758283725532e-15, 1.8516004701707445e-15, -2.636779683484747e-16,
    -2.209604027525458e-16, 1.1102230246251565e-16, -7.26415455565288e-17, 1.0581813203458523e-16, 2.7755575615628914e-17};
inline constexpr double i1e_near[] = {
    0.12629359322181682, -0.17641651835783406, 0.10264365868984708, -0.05294598120809499, 0.0247264490306265, -0.01056408489462618,
    0.004156422944312878, -0.001513572450631221, 0.0005122859561685449, -0.0001617608158259766, 4.781565107543628e-05,
    -1.327316365587472e-05, 3.4702513081324993e-06, -8.568720265555996e-07, 2.0032947526532618e-07, -4.445059111068961e-08,
    9.381537241504034e-09, -1.887249818227632e-09, 3.6255910079718845e-10, -6.663486429303589e-11, 1.1736216165569857e-11,
    -1.9839234421947793e-12, 3.2227345792001927e-13, -5.033820582589499e-14, 7.559924908306925e-15, -1.2463988174893359e-15,
    3.5041414214731503e-16, -1.7694179454963432e-16};
inline constexpr double i1e_far[] = {
    0.38928811750914005, -0.009761097491361434, -0.00011058893876264402, -3.882564808849187e-06, -2.512236238416069e-07,
    -2.6314688487266702e-08, -3.835380403029165e-09, -5.589743459766261e-10, -1.8974987813641375e-11, 3.252589864111144e-11,
    1.4125756554045354e-11, 2.0357465713161105e-12, -7.19828276846135e-13, -4.0852043969863416e-13, -2.106474716878637e-14,
    4.2799097599299785e-14, 1.0241807402167069e-14, -3.858025010572419e-15, -1.8002092871949316e-15, 4.0939474033052647e-16,
    3.469446951953614e-16, 4.5102810375396984e-17, -1.6382294826255972e-16, 1.1102230246251565e-16, 2.7321894746634712e-17};
// sum of c[k] T_k(t), by Clenshaw's recurrence; the first Single terms are enough for float.
template <int Single, int N, class X>
constexpr X chebyshev_sum(double const (&c)[N], X const& t) {
  constexpr int terms = std::is_same_v<strong_t<typename X::dtype_type>, float> ? Single : N;
  auto const number = [](double v) { return convert_number<strong_t<typename X::dtype_type>>(v); };
  X const twice = t + t;
  X b = constant_like<X>(t, number(c[terms - 1])), before = constant_like<X>(t, number(0));
  for (int k = terms - 2; k > 0; --k) {
    X const next = twice * b - before + number(c[k]);
    before = b;
    b = next;
  }
  return t * b - before + number(c[0]);
}
template <int Order>
struct bessel_body {
  template <class X>
  constexpr X operator()(X const& x) const {
    X const size = abs(x), near = minimum(size, 8), far = maximum(size, 8);
    X const at_near = near * 0.25 - 1, at_far = 16 / far - 1;
    if constexpr (Order == 0) {
      return where(size <= 8, chebyshev_sum<18>(i0e_near, at_near), chebyshev_sum<7>(i0e_far, at_far) / sqrt(far));
    } else {
      return where(size <= 8, chebyshev_sum<17>(i1e_near, at_near) * clip(x, -8, 8), copysign(chebyshev_sum<7>(i1e_far, at_far) / sqrt(far), x));
    }
  }
};
template <int Order>
struct grown_bessel_body {
  constexpr auto operator()(auto const& x) const { return exp(abs(x)) * bessel_body<Order>{}(x); }
};

}  // namespace detail

namespace special {

using exprax::digamma;
using exprax::erf;
using exprax::erfc;
using exprax::expit;
using exprax::logsumexp;

// The inverse of erf, the logarithm of |gamma(x)|, and gamma(x). Shape of x, floating dtype (jax.scipy.special.erfinv, gammaln, gamma).
template <array_like X>
constexpr auto erfinv(X const& x) {
  return exprax::erf_inv(x);
}
template <array_like X>
constexpr auto gammaln(X const& x) {
  return exprax::lgamma(x);
}
template <array_like X>
constexpr auto gamma(X const& x) {
  return exprax::tgamma(x);
}
// log(x / (1 - x)), the inverse of expit. Shape of x, floating dtype (jax.scipy.special.logit).
template <array_like X>
constexpr auto logit(X const& x) {
  return detail::special_call<detail::logit_body>(x);
}
// x log(y), 0 where x is 0. Shapes broadcast; promoted floating dtype (jax.scipy.special.xlogy).
template <array_like X, array_like Y>
constexpr auto xlogy(X const& x, Y const& y) {
  return detail::special_call<detail::xlogy_body>(x, y);
}
// x log(1 + y), 0 where x is 0. Shapes broadcast; promoted floating dtype (jax.scipy.special.xlog1py).
template <array_like X, array_like Y>
constexpr auto xlog1py(X const& x, Y const& y) {
  return detail::special_call<detail::xlog1py_body>(x, y);
}
// -x log(x); 0 at 0, -infinity below. Shape of x, floating dtype (jax.scipy.special.entr).
template <array_like X>
constexpr auto entr(X const& x) {
  return detail::special_call<detail::entr_body>(x);
}
// x log(x / y) where both are positive; 0 where x is 0 and y is not negative, infinity elsewhere. Shapes broadcast; promoted floating
// dtype (jax.scipy.special.rel_entr).
template <array_like X, array_like Y>
constexpr auto rel_entr(X const& x, Y const& y) {
  return detail::special_call<detail::rel_entr_body>(x, y);
}
// x log(x / y) - x + y, with the special values of rel_entr. Shapes broadcast; promoted floating dtype (jax.scipy.special.kl_div).
template <array_like X, array_like Y>
constexpr auto kl_div(X const& x, Y const& y) {
  return detail::special_call<detail::kl_div_body>(x, y);
}
// (x^y - 1) / y, log(x) where y is 0. Shapes broadcast; promoted floating dtype (jax.scipy.special.boxcox).
template <array_like X, array_like Y>
constexpr auto boxcox(X const& x, Y const& y) {
  return detail::special_call<detail::boxcox_body>(x, y);
}
// boxcox(1 + x, y), accurate for small x. Shapes broadcast; promoted floating dtype (jax.scipy.special.boxcox1p).
template <array_like X, array_like Y>
constexpr auto boxcox1p(X const& x, Y const& y) {
  return detail::special_call<detail::boxcox1p_body>(x, y);
}
// The sign of gamma(x): 1 or -1, NaN at negative integers. Shape of x, floating dtype (jax.scipy.special.gammasgn).
template <array_like X>
constexpr auto gammasgn(X const& x) {
  return detail::special_call<detail::gammasgn_body>(x);
}
// The logarithm of |beta(x, y)|. Shapes broadcast; promoted floating dtype (jax.scipy.special.betaln).
template <array_like X, array_like Y>
constexpr auto betaln(X const& x, Y const& y) {
  return detail::special_call<detail::betaln_body>(x, y);
}
// gamma(x) gamma(y) / gamma(x + y). Shapes broadcast; promoted floating dtype (jax.scipy.special.beta).
template <array_like X, array_like Y>
constexpr auto beta(X const& x, Y const& y) {
  return detail::special_call<detail::beta_function_body>(x, y);
}
// gamma(x + 1), 0 for negative numbers. Shape of x, floating dtype (jax.scipy.special.factorial).
template <array_like X>
constexpr auto factorial(X const& x) {
  return detail::special_call<detail::factorial_body>(x);
}
// The number of ways to choose y out of x; 0 where y > x, or one of them is negative. Shapes broadcast; promoted floating dtype
// (jax.scipy.special.comb).
template <array_like X, array_like Y>
constexpr auto comb(X const& x, Y const& y) {
  return detail::special_call<detail::comb_body>(x, y);
}
// gamma(x + y) / gamma(x), 1 where y is 0 (Pochhammer's symbol). Shapes broadcast; promoted floating dtype (jax.scipy.special.poch).
template <array_like X, array_like Y>
constexpr auto poch(X const& x, Y const& y) {
  return detail::special_call<detail::poch_body>(x, y);
}
// The cumulative distribution function of the normal distribution at x. Shape of x, floating dtype (jax.scipy.special.ndtr).
template <array_like X>
constexpr auto ndtr(X const& x) {
  return detail::special_call<detail::ndtr_body>(x);
}
// The logarithm of ndtr(x), without underflow for x far below 0. Shape of x, floating dtype (jax.scipy.special.log_ndtr).
template <array_like X>
constexpr auto log_ndtr(X const& x) {
  return detail::special_call<detail::log_ndtr_body>(x);
}
// The inverse of ndtr: -infinity at 0, infinity at 1, NaN outside of [0, 1]. Shape of x, floating dtype (jax.scipy.special.ndtri).
template <array_like X>
constexpr auto ndtri(X const& x) {
  return detail::special_call<detail::ndtri_body>(x);
}
// The logarithm of the multivariate gamma function of dimension D: multigammaln<3>(x). Shape of x, floating dtype. Refused: D below 1
// (jax.scipy.special.multigammaln).
template <int D, array_like X>
constexpr auto multigammaln(X const& x) {
  static_assert(D > 0, "exprax: special::multigammaln: the dimension must be positive");
  return detail::special_call<detail::multigammaln_body<D>>(x);
}
// Modified Bessel functions of the first kind, of order 0 and 1: i0, i1; i0e and i1e are these times exp(-|x|). Shape of x, floating dtype
// (jax.scipy.special.i0e, i1e, i0, i1).
template <array_like X>
constexpr auto i0e(X const& x) {
  return detail::special_call<detail::bessel_body<0>>(x);
}
template <array_like X>
constexpr auto i1e(X const& x) {
  return detail::special_call<detail::bessel_body<1>>(x);
}
template <array_like X>
constexpr auto i0(X const& x) {
  return detail::special_call<detail::grown_bessel_body<0>>(x);
}
template <array_like X>
constexpr auto i1(X const& x) {
  return detail::special_call<detail::grown_bessel_body<1>>(x);
}

}  // namespace special

namespace lax {

// special::i0e and i1e (jax.lax.bessel_i0e, bessel_i1e).
template <array_like X>
constexpr auto bessel_i0e(X const& x) {
  return special::i0e(x);
}
template <array_like X>
constexpr auto bessel_i1e(X const& x) {
  return special::i1e(x);
}

}  // namespace lax

}  // namespace exprax
