// SPDX-License-Identifier: BSL-1.0
// Shared by the kernels of exp, expm1, tanh, logistic, log, log1p and pow, over the lane concept. Arguments are reduced as by Cody and
// Waite ("Software Manual for the Elementary Functions", 1980); polynomials are minimax (Remez), coefficients from the highest power down.
// All steps are single operations or mul_add, so all targets that fuse get the same bits, and so do all that do not.
#pragma once

#include <limits>

#include <exprax/math/lane.hpp>

namespace exprax::detail {

template <class V, class... C>
EXPRAX_INLINE constexpr V polynomial(V x, typename V::value_type highest, C... rest) {
  V r(highest);
  ((r = mul_add(r, x, V(rest))), ...);
  return r;
}

// The same polynomial by halves (Estrin, 1960), with shorter dependency chains: for many coefficients. The last two steps, which dominate
// the rounding error, are as above. Count coefficients, the lowest first.
template <int Count, class V>
EXPRAX_INLINE constexpr V sum_of_powers(typename V::value_type const* c, V const* powers) {
  if constexpr (Count == 1) {
    return V(c[0]);
  } else {
    constexpr int level = Count > 16 ? 4 : Count > 8 ? 3 : Count > 4 ? 2 : Count > 2 ? 1 : 0, half = 1 << level;
    return mul_add(sum_of_powers<Count - half>(c + half, powers), powers[level], sum_of_powers<half>(c, powers));
  }
}
template <class V, class... C>
EXPRAX_INLINE constexpr V long_polynomial(V x, C... coefficients) {
  using T = typename V::value_type;
  constexpr int n = sizeof...(C);
  T c[n] = {};
  int at = n;
  ((c[--at] = static_cast<T>(coefficients)), ...);
  V const two = x * x;
  V const four = two * two;
  V const eight = four * four;
  V const powers[] = {x, two, four, eight, eight * eight};
  return mul_add(mul_add(sum_of_powers<n - 2>(c + 2, powers), x, V(c[1])), x, V(c[0]));
}

template <class V>
inline constexpr bool is_single = sizeof(typename V::value_type) == 4;

// ln 2 in two parts. Without fused operations, the first part ends in zeros, so that its product with an exponent is exact.
template <class T>
struct exp_constants;
template <>
struct exp_constants<float> {
  static constexpr bool fused = simd::fuses<float>;
  static constexpr float log2_e = 0x1.715476p+0f, ln2 = 0x1.62e43p-1f, ln2_high = fused ? ln2 : 0x1.62e4p-1f,
                         ln2_low = fused ? -0x1.05c61p-29f : 0x1.7f7d1cp-20f;
};
template <>
struct exp_constants<double> {
  static constexpr bool fused = simd::fuses<double>;
  static constexpr double log2_e = 0x1.71547652b82fep+0, ln2 = 0x1.62e42fefa39efp-1, ln2_high = fused ? ln2 : 0x1.62e42fefa38p-1,
                          ln2_low = fused ? 0x1.abc9e3b39803fp-56 : 0x1.ef35793c7673p-45;
};

// x = exponent * ln 2 + rest, |rest| <= ln(2)/2. |x| must be small enough for the magic sum, whose low bits are the exponent; or
// that and what the magic number of power_in_halves adds to it.
template <class V>
struct reduced_exp {
  V exponent;
  V rest;
  V sum;
};
template <class V>
EXPRAX_INLINE constexpr reduced_exp<V> reduce_exp(V x, typename V::value_type magic) {
  using C = exp_constants<typename V::value_type>;
  V const sum = mul_add(x, V(C::log2_e), V(magic));
  V const n = sum - V(magic);
  return {n, mul_add(n, V(-C::ln2_low), mul_add(n, V(-C::ln2_high), x)), sum};
}
template <class V>
EXPRAX_INLINE constexpr reduced_exp<V> reduce_exp(V x) {
  return reduce_exp(x, simd::detail::float_format<typename V::value_type>::round_magic);
}

// exp(r) - 1 for |r| <= ln(2)/2.
template <class V>
EXPRAX_INLINE constexpr V expm1_of_rest(V r) {
  V q;
  if constexpr (is_single<V>) {
    q = polynomial(r, 0x1.6bebd2p-10f, 0x1.122786p-7f, 0x1.555674p-5f, 0x1.5554bp-3f, 0x1.fffffep-2f);
  } else {
    q = long_polynomial(r, 0x1.1ee88901007f1p-29, 0x1.af5e823e85f65p-26, 0x1.27e5363052c0fp-22, 0x1.71ddf877c0485p-19,
                        0x1.a01a017bc28f2p-16, 0x1.a01a01afd663p-13, 0x1.6c16c16c1f089p-10, 0x1.111111110f6d4p-7, 0x1.555555555553fp-5,
                        0x1.5555555555559p-3, 0.5);
  }
  return mul_add(r * r, q, r);
}

// exp(x) for every x, without a branch, so that loops that contain an exp stay a single loop.
template <class V>
EXPRAX_INLINE constexpr V exp_of(V x) {
  using T = typename V::value_type;
  // Beyond these bounds the result is 0 or infinity.
  constexpr T low = is_single<V> ? T(-104) : T(-746), high = is_single<V> ? T(89) : T(710);
  using power_of = simd::detail::power_in_halves<V>;
  auto const reduced = reduce_exp(bounded(x, low, high), power_of::magic);
  V const rest = expm1_of_rest(reduced.rest);
  if constexpr (V::has_scale) {
    return scale(V(T(1)) + rest, reduced.exponent);
  } else {
    power_of const power(reduced.sum);
    return mul_add(power.first, rest, power.first) * power.second;
  }
}
// factor * exp(x), where factor is a power of two and the result is normal or NaN.
template <class V>
EXPRAX_INLINE constexpr V normal_exp_of(V x, typename V::value_type factor = 1) {
  auto const reduced = reduce_exp(x);
  V const power = simd::detail::scale_by_sum(V(factor), reduced.sum);
  return mul_add(power, expm1_of_rest(reduced.rest), power);
}

// exp(x) - 1 = 2 (2^(n-1) p + (2^(n-1) - 1/2)), p = exp(rest) - 1: no overflow before the result.
template <class V>
EXPRAX_INLINE constexpr V expm1_of(V x) {
  using T = typename V::value_type;
  auto const reduced = reduce_exp(x);
  V const half_power = simd::detail::scale_by_sum(V(T(0.5)), reduced.sum);
  V const half = mul_add(half_power, expm1_of_rest(reduced.rest), half_power - V(T(0.5)));
  return half + half;
}

// 2^r for |r| <= 1/2.
template <class V>
EXPRAX_INLINE constexpr V exp2_of_rest(V r) {
  V p;
  if constexpr (is_single<V>) {
    p = polynomial(r, 0x1.44138ap-13f, 0x1.5f089p-10f, 0x1.3b2a54p-7f, 0x1.c6af6cp-5f, 0x1.ebfbep-3f, 0x1.62e43p-1f);
  } else {
    p = long_polynomial(r, 0x1.e9d3fe3952179p-32, 0x1.e6063f7217bc6p-28, 0x1.b524fae627834p-24, 0x1.62bfd47773353p-20,
                        0x1.ffcbfc670dcd4p-17, 0x1.430913096fd9fp-13, 0x1.5d87fe78a5276p-10, 0x1.3b2ab6fba1ddap-7, 0x1.c6b08d704a0c2p-5,
                        0x1.ebfbdff82c598p-3, 0x1.62e42fefa39efp-1);
  }
  return mul_add(r, p, V(typename V::value_type(1)));
}

// log(1 + f) + e ln 2 for f in [-0.25, 0.5).
template <class V>
EXPRAX_INLINE constexpr V log_of_parts(V f, V e) {
  using T = typename V::value_type;
  using C = exp_constants<T>;
  if constexpr (is_single<V>) {
    V const p = polynomial(f, 0x1.349d0cp-5f, -0x1.7565aep-4f, 0x1.df4234p-4f, -0x1.04aa4p-3f, 0x1.2460ap-3f, -0x1.5519b8p-3f,
                           0x1.999788p-3f, -0x1.00006ep-2f, 0x1.55555ap-2f);
    V const bend = mul_add(f, p, V(-0.5f));
    if constexpr (C::fused) return fma(e, V(C::ln2_high), fma(f * f, bend, f));
    else return e * V(C::ln2_high) + (f + (f * f * bend + e * V(C::ln2_low)));
  } else {
    // s = f / (2 + f), log(1 + f) = 2 atanh(s) = f - s (f - R(s^2)), as in fdlibm.
    V const s = f / (V(2.0) + f);
    V const z = s * s;
    V const r =
        z * long_polynomial(z, 0x1.02e34c150a292p-3, 0x1.da4c031c6ecd7p-4, 0x1.113f399d4f0a9p-3, 0x1.3b12612bd4cddp-3, 0x1.745d1d23721a3p-3,
                            0x1.c71c71b751927p-3, 0x1.249249249e4a4p-2, 0x1.999999999990bp-2, 0x1.5555555555555p-1);
    return mul_add(e, V(C::ln2_high), f + mul_add(-s, f - r, e * V(C::ln2_low)));
  }
}

// The special values of log at x; r where x is positive and finite.
template <class V>
EXPRAX_INLINE constexpr V log_special(V x, V r) {
  using limits = std::numeric_limits<typename V::value_type>;
  V const zero(0);
  V const infinite(limits::infinity());
  V const rest = select(x == zero, -infinite, V(limits::quiet_NaN()));
  return select(x == infinite, x, select(x > zero, r, rest));
}

}  // namespace exprax::detail
