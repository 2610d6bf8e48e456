// SPDX-License-Identifier: BSL-1.0
// Shared by lgamma and digamma: the reduction of the argument to the range of a polynomial, sines of multiples of pi, and Stirling's series
// (Abramowitz and Stegun, 6.1.40 and 6.3.18) with minimax coefficients.
#pragma once

#include <exprax/math/arcs.hpp>
#include <exprax/math/trigonometric.hpp>

namespace exprax::detail {

// From here on Stirling's series is used.
inline constexpr int stirling_from = 8;
inline constexpr int largest_shift = stirling_from - 2;

// log |gamma(x)| for finite x > 0. A polynomial for log(gamma(2 + t)) / (t (t + 1)) holds from 0.875 to 2.5, so that the zeros at 1 and 2
// are exact; smaller arguments are raised by one, larger ones lowered by integers.
template <class V>
EXPRAX_INLINE constexpr V lgamma_of_positive(V x) {
  using T = typename V::value_type;
  V const one(T(1));
  auto const far = x >= V(T(stirling_from));
  auto const below = x < V(T(0.875));
  V n = round_even(bounded(x, T(0), T(stirling_from)));
  n = select(below, one, select(n < V(T(2)), V(T(2)), n));
  V product = select(below, x, one);
  for (int j = 1; j <= largest_shift; ++j) product = product * select(n >= V(T(j + 2)), x - V(T(j)), one);
  auto const [m, e] = split(select(far, x, product));
  V const logarithm = log_of_parts(m - one, e);

  V const t = x - n;
  V q;
  if constexpr (is_single<V>) {
    q = polynomial(t, 0x1.189752p-13f, 0x1.113a9cp-12f, 0x1.802cp-13f, -0x1.b36aa8p-13f, 0x1.bb16d8p-15f, -0x1.a195a6p-12f, 0x1.f180dap-11f,
                      -0x1.13f14ap-9f, 0x1.475b5p-8f, -0x1.95d118p-7f, 0x1.0e0ceap-5f, -0x1.9ae64ep-4f, 0x1.b0ee6p-2f);
  } else {
    q = long_polynomial(t, 0x1.cf02593c71d84p-24, 0x1.7166d3be06edep-21, 0x1.e3872b0945962p-20, 0x1.2341cdbf57c17p-19,
                        0x1.f290aa4b8c7edp-22, -0x1.fced2e0cc8a5fp-20, -0x1.03ed814847339p-19, -0x1.9b293a1823aa8p-25,
                        0x1.3c2849ee5069fp-20, 0x1.3282aa69a5d97p-22, 0x1.61a1cb3be78d6p-23, -0x1.2012e19a62923p-20, 0x1.e7acb2be4a2fep-20,
                        -0x1.fdc3d485043b1p-19, 0x1.141bea06c2c2p-17, -0x1.286bb84305382p-16, 0x1.402bf0cd6f011p-15, -0x1.5c862e3df6ff5p-14,
                        0x1.7ed7477aa537cp-13, -0x1.a96a41a075fe9p-12, 0x1.dfebcf4d4a0b6p-11, -0x1.145121f8544c6p-9, 0x1.47974853de5f7p-8,
                        -0x1.95ce223a9dc95p-7, 0x1.0e0c9df293433p-5, -0x1.9ae6509ea109dp-4, 0x1.b0ee6072093cep-2);
  }
  V const near = mul_add(t * (x - (n - one)), q, select(below, -logarithm, logarithm));
  // log(2 pi)/2 - 1/2
  V const inverse = one / x;
  V const w = inverse * inverse;
  V s;
  if constexpr (is_single<V>) {
    s = polynomial(w, 0x1.98f67cp-11f, -0x1.6c1418p-9f, 0x1.555556p-4f);
  } else {
    s = polynomial(w, -0x1.b1382377d788ap-10, 0x1.b6fa4852c5f7p-11, -0x1.380ebd7243e93p-11, 0x1.a019fd3406f01p-11, -0x1.6c16c16bb630dp-9,
                      0x1.5555555555553p-4);
  }
  V const series = mul_add(inverse, s, V(T(0x1.acfe390c97d69p-2)));
  return select(far, mul_add(x - V(T(0.5)), logarithm - one, series), near);
}

// pi * fraction, for fraction in [0, 1/2], in two parts: an angle of at most pi/4 and the quadrant that it is measured from.
template <class V>
struct half_turns {
  using T = typename V::value_type;
  using W = typename V::template rebind<typename simd::detail::float_format<T>::integer>;
  V angle;
  V low;
  W quadrant;
  EXPRAX_INLINE constexpr V sine() const {
    V const z = angle * angle;
    V const cosine = mul_add(z, mul_add(z, cosine_tail(z), V(T(-0.5))), V(T(1)));
    return select(quadrant == W(0), angle + mul_add(angle * z, sine_tail(z), low), cosine);
  }
  EXPRAX_INLINE constexpr V tangent() const { return tan_of_quadrant(angle, -low, quadrant); }
};
template <class V>
EXPRAX_INLINE constexpr half_turns<V> half_turns_of(V fraction) {
  using T = typename V::value_type;
  using W = typename half_turns<V>::W;
  using C = pi_parts<T>;
  auto const upper = fraction > V(T(0.25));
  V const rest = select(upper, fraction - V(T(0.5)), fraction);
  V const angle = rest * V(C::high);
  return {angle, mul_add(rest, V(C::low), product_error(rest, V(C::high), angle)), select(upper, W(1), W(0))};
}

// Digamma has a zero at 1.46...: root + 1.
template <class T>
struct digamma_constants;
template <>
struct digamma_constants<float> {
  static constexpr float root = 0x1.d8b618p-2f, rest = 0x1.ab5f2p-27f;
};
template <>
struct digamma_constants<double> {
  static constexpr double root = 0x1.d8b618d5af8fep-2, rest = -0x1.1e563779a1f5bp-56;
};

// Digamma of x > 0, plus 1/x if Reflected. With n = floor(x): digamma(1 + t) + 1/(x - 1) + ... + 1/(x - n + 1), t = x - n, the sum as one
// fraction.
template <class V, class M>
EXPRAX_INLINE constexpr V digamma_of_positive(V x, M reflected) {
  using T = typename V::value_type;
  using C = digamma_constants<T>;
  constexpr int from = is_single<V> ? 4 : 6;  // Stirling's series is used from here on
  V const zero(T(0));
  V const one(T(1));
  V const half(T(0.5));
  V const n = floor(bounded(x, T(0), T(from)));
  auto const far = x >= V(T(from));
  auto const below = n < one;
  V numerator = select(below ^ reflected, one, zero);
  V denominator = select(below ^ reflected, x, one);
  numerator = select(below, -numerator, numerator);
  for (int j = 1; j <= from - 2; ++j) {
    V const f = x - V(T(j));
    auto const counts = n >= V(T(j + 1));
    numerator = select(counts, mul_add(numerator, f, denominator), numerator);
    denominator = select(counts, denominator * f, denominator);
  }
  V const t = x - n;
  V const u = t - half;
  V q;
  if constexpr (is_single<V>) {
    q = polynomial(u, 0x1.65418ap-7f, -0x1.0c43fp-6f, 0x1.186978p-6f, -0x1.a67e08p-6f, 0x1.4ea4b8p-5f, -0x1.fc5cd2p-5f, 0x1.850eaap-4f,
                      -0x1.2febbep-3f, 0x1.eca19p-3f, -0x1.b1cb68p-2f, 0x1.e6f0ccp-1f);
  } else {
    q = long_polynomial(u, 0x1.f255c4568ac4dp-14, -0x1.75c084e78a4cdp-13, 0x1.94e73cc9821e1p-14, -0x1.2fae5cb379bf2p-13,
                        0x1.53b23429da21bp-12, -0x1.fd8e50abf2196p-12, 0x1.6a3e76070c135p-11, -0x1.0fb38d217b8p-10, 0x1.99d3f5c0cad5ep-10,
                        -0x1.336dbe66757c8p-9, 0x1.cd2011454fd05p-9, -0x1.5a06a5d662cb4p-8, 0x1.03c0adafa529cp-7, -0x1.863563f44f303p-7,
                        0x1.2564717896ec6p-6, -0x1.b9f8b11bfd3dp-6, 0x1.4de9aa1779d23p-5, -0x1.fb44202a2306bp-5, 0x1.8512e5903903ep-4,
                        -0x1.2feeeb98a78eap-3, 0x1.eca189b8e6f6dp-3, -0x1.b1cb63005ee98p-2, 0x1.e6f0cbb873616p-1);
  }
  V const distance = (t - V(C::root)) - V(C::rest);
  // One division for both cases.
  V const quotient = select(far, one, numerator) / select(far, x, denominator);
  V const near = mul_add(distance, q, quotient);
  V const w = quotient * quotient;
  V s;
  if constexpr (is_single<V>) {
    s = polynomial(w, 0x1.cd99d8p-9f, -0x1.031992p-8f, 0x1.1111a8p-7f, -0x1.555556p-4f);
  } else {
    s = polynomial(w, 0x1.e84a2d040f5e9p-3, -0x1.36fd831e51c87p-4, 0x1.571a2d5f46091p-6, -0x1.f05e66904e82fp-8, 0x1.1110e03c5d77p-8,
                      -0x1.041040dce8f44p-8, 0x1.111111110b5a6p-7, -0x1.5555555555555p-4);
  }
  auto const [m, e] = split(x);
  V const logarithm = log_of_parts(m - one, e);
  return select(far, logarithm + mul_add(w, s, quotient * select(reflected, half, -half)), near);
}

}  // namespace exprax::detail
