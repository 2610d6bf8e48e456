// SPDX-License-Identifier: BSL-1.0
// Shared by asin, acos, atan, atan2 and the inverse hyperbolic functions: odd polynomials near 0 (minimax at Chebyshev nodes), and sums
// whose first part is rounded without loss (Dekker, 1971).
#pragma once

#include <exprax/math/exponential.hpp>

namespace exprax::detail {

template <class T>
struct pi_parts;
template <>
struct pi_parts<float> {
  static constexpr float high = 0x1.921fb6p+1f, low = -0x1.777a5cp-24f;
};
template <>
struct pi_parts<double> {
  static constexpr double high = 0x1.921fb54442d18p+1, low = 0x1.1a62633145c07p-53;
};

// a + (b + rest), where b may be larger than an ulp of a: |a| >= |b|, or a = 0.
template <class V>
EXPRAX_INLINE constexpr V sum_with_rest(V a, V b, V rest) {
  V const s = a + b;
  return s + (((a - s) + b) + rest);
}

// (asin(x) - x) / x^3 for z = x^2 up to 1/4.
template <class V>
EXPRAX_INLINE constexpr V asin_tail(V z) {
  V p;
  if constexpr (is_single<V>) {
    p = polynomial(z, 0x1.13fed4p-5f, 0x1.18f91ep-6f, 0x1.fd8da2p-6f, 0x1.6d5bbap-5f, 0x1.33343p-4f, 0x1.555554p-3f);
  } else {
    p = long_polynomial(z, 0x1.d72b2bc8155f8p-6, -0x1.e6aaa8a0a04ccp-7, 0x1.1d189408314eep-6, 0x1.65a9c4dfcf8b2p-8, 0x1.52420b04b37bep-7,
                      0x1.782651caa6547p-7, 0x1.c9cf07674736ap-7, 0x1.1c4d35cf95421p-6, 0x1.6e8bb1c8209a2p-6, 0x1.f1c71c1db0623p-6,
                      0x1.6db6db6e31f13p-5, 0x1.3333333332ecap-4, 0x1.5555555555556p-3);
  }
  return p;
}
// (atan(x) - x) / x^3 for z = x^2 up to 1.
template <class V>
EXPRAX_INLINE constexpr V atan_tail(V z) {
  V p;
  if constexpr (is_single<V>) {
    p = polynomial(z, 0x1.86406cp-10f, -0x1.2ba6b6p-7f, 0x1.aefb2cp-6f, -0x1.9115a4p-5f, 0x1.2006f8p-4f, -0x1.6dd8fep-4f, 0x1.c62cdap-4f,
                      -0x1.248952p-3f, 0x1.999956p-3f, -0x1.555556p-2f);
  } else {
    p = long_polynomial(z, -0x1.8d087295ab9f4p-17, 0x1.1f0adb240a1fbp-13, -0x1.8a2f3ae537bb1p-11, 0x1.57cc888719aap-9,
                        -0x1.aef1a8e977bf8p-8, 0x1.a1fe88baf72d4p-7, -0x1.4b974a27ac39fp-6, 0x1.c3ac54a572735p-6, -0x1.147b2825d82f6p-5,
                        0x1.3d3f26d5ea7ffp-5, -0x1.60ebd1489b946p-5, 0x1.854a7b99af61dp-5, -0x1.af00bd568a3d2p-5, 0x1.e1dc0d7679adcp-5,
                        -0x1.1110bfea8ed5ep-4, 0x1.3b13aaf4aba4ap-4, -0x1.745d16f26d0a3p-4, 0x1.c71c71c472843p-4, -0x1.249249248c7dap-3,
                        0x1.99999999998f9p-3, -0x1.5555555555555p-2);
  }
  return p;
}

// log(a + sqrt(a^2 + One)) + log(2^k) for a >= 1, with k = 1 where a is so large that the result is log(2 a).
template <int One, class V>
EXPRAX_INLINE constexpr V log_of_sum(V a) {
  using T = typename V::value_type;
  V const one(T(1));
  auto const huge = a > V(is_single<V> ? T(0x1p14f) : T(0x1p28));
  V const root = sqrt(mul_add(a, a, V(T(One))));
  V const sum = select(huge, a, a + root);
  auto const [m, e] = split_normal(sum);
  V f = m - one;
  // The rounding error of the sum; negligible for acosh.
  if constexpr (One > 0) {
    V lost = (root - sum) + a;
    if constexpr (V::has_scale) lost = scale(lost, -e);
    else lost = lost * simd::detail::raw_binade<V>(sum).inverse_power();
    f = f + select(huge, V(T(0)), lost);
  }
  V const r = log_of_parts(f, e + select(huge, one, V(T(0))));
  return select(a <= V(std::numeric_limits<T>::max()), r, a);
}

}  // namespace exprax::detail
