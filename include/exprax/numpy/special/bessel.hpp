// SPDX-License-Identifier: BSL-1.0
// Modified Bessel functions (jax.scipy.special): i0, i1, i0e, i1e.
#pragma once

#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/special/special.hpp>

namespace exprax {

namespace detail {

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
  auto const value = [](double v) { return convert_number<strong_t<typename X::dtype_type>>(v); };
  X const twice = t + t;
  X b = constant_like<X>(t, value(c[terms - 1])), before = constant_like<X>(t, value(0));
  for (int k = terms - 2; k > 0; --k) {
    X const next = twice * b - before + value(c[k]);
    before = b;
    b = next;
  }
  return t * b - before + value(c[0]);
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
      return where(size <= 8, chebyshev_sum<17>(i1e_near, at_near) * clip(x, -8, 8),
                   copysign(chebyshev_sum<7>(i1e_far, at_far) / sqrt(far), x));
    }
  }
};
template <int Order>
struct grown_bessel_body {
  constexpr auto operator()(auto const& x) const { return exp(abs(x)) * bessel_body<Order>{}(x); }
};

}  // namespace detail

namespace special {

// Modified Bessel functions of the first kind, of order 0 and 1: i0, i1; i0e and i1e are these times exp(-|x|). Shape of x, floating dtype
// (jax.scipy.special.i0e, i1e, i0, i1).
inline constexpr struct i0e_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::special_call<detail::bessel_body<0>>(x);
  }
} i0e{};
inline constexpr struct i1e_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::special_call<detail::bessel_body<1>>(x);
  }
} i1e{};
inline constexpr struct i0_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::special_call<detail::grown_bessel_body<0>>(x);
  }
} i0{};
inline constexpr struct i1_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::special_call<detail::grown_bessel_body<1>>(x);
  }
} i1{};

}  // namespace special

namespace lax {

// special::i0e and i1e (jax.lax.bessel_i0e, bessel_i1e).
inline constexpr struct bessel_i0e_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return special::i0e(x);
  }
} bessel_i0e{};
inline constexpr struct bessel_i1e_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return special::i1e(x);
  }
} bessel_i1e{};

}  // namespace lax

}  // namespace exprax
