// SPDX-License-Identifier: BSL-1.0
// Shared by sin, cos and tan. Arguments are reduced to |r| <= pi/4 by three parts of pi/2 (Cody and Waite). Their products are fused;
// without fusion they are exact: up to near_limit because the parts end in zeros, beyond by products of halves. Larger arguments use Payne
// and Hanek's method ("Radian reduction for trigonometric functions", 1983) with 192 bits of 2/pi, lane by lane. The method of a lane
// depends only on its own value: other lanes change the time, never the result.
#pragma once

#include <exprax/math/exponential.hpp>

namespace exprax::detail {

template <class T>
struct trig_constants;
template <>
struct trig_constants<float> {
  static constexpr float two_over_pi = 0x1.45f306p-1f, pi1 = 0x1.921fb6p+0f, pi2 = -0x1.777a5cp-25f, pi3 = -0x1.ee59dap-50f;
  // For tan: the second part is positive, which keeps the sign of zero.
  static constexpr float tan_pi1 = 0x1.921fb4p+0f, tan_pi2 = 0x1.4442dp-24f, tan_pi3 = 0x1.84698ap-48f;
  static constexpr float near_pi1 = 0x1.921fp+0f, near_pi2 = 0x1.6a88p-17f, near_pi3 = 0x1.0b4612p-34f;
  static constexpr float near_limit = 192.0f, limit = 0x1p16f;
  static constexpr float tiny = 0x1p-13f;  // below, sin(x) = x
};
template <>
struct trig_constants<double> {
  static constexpr double two_over_pi = 0x1.45f306dc9c883p-1, pi1 = 0x1.921fb54442d18p+0, pi2 = 0x1.1a62633145c07p-54,
                          pi3 = -0x1.f1976b7ed8fbcp-110;
  static constexpr double tan_pi1 = pi1, tan_pi2 = pi2, tan_pi3 = pi3;
  static constexpr double near_pi1 = 0x1.921fb5444p+0, near_pi2 = 0x1.68c234c4c4p-39, near_pi3 = 0x1.3145c06e0e689p-78;
  static constexpr double near_limit = 0x1p14, limit = 0x1p30;
  static constexpr double tiny = 0x1p-27;
};

// The bits of 2/pi after the binary point.
inline constexpr std::uint64_t two_over_pi_bits[] = {
    0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u, 0x06492eea09d1921cu,
    0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu,
    0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du, 0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u,
    0x56033046fc7b6babu, 0x0000000000000000u, 0x0000000000000000u};

// 64 bits of 2/pi from bit `first` on; what lies before the point is zero.
constexpr std::uint64_t two_over_pi_window(int first) {
  if (first <= -64) return 0;
  if (first < 0) return two_over_pi_bits[0] >> -first;
  int const word = first / 64;
  int const shift = first % 64;
  return shift == 0 ? two_over_pi_bits[word] : two_over_pi_bits[word] << shift | two_over_pi_bits[word + 1] >> (64 - shift);
}

struct reduced_angle {
  double rest, low;  // low: the rounding error of rest
  int quadrant;
};

// x = quadrant * pi/2 + rest modulo 2 pi, for finite x from 2^16 on.
constexpr reduced_angle payne_hanek(double x) {
  ieee::parts const p = ieee::decompose(x);
  // x * 2/pi mod 4 = (significand * window mod 2^192) * 2^-190, the window being 192 bits of 2/pi from here on.
  int const first = p.exponent - 2;
  ieee::wide const high = ieee::product(p.significand, two_over_pi_window(first));
  ieee::wide const middle = ieee::product(p.significand, two_over_pi_window(first + 64));
  ieee::wide const low = ieee::product(p.significand, two_over_pi_window(first + 128));
  ieee::wide turns{high.low + middle.high, middle.low + low.high};
  if (turns.low < low.high) turns.high += 1;
  int quadrant = static_cast<int>(turns.high >> 62);
  ieee::wide fraction = ieee::shift_left(turns, 2);  // in quadrants, times 2^128
  bool const upper = fraction.high >> 63 != 0;
  if (upper) {  // closer to the next quadrant: the rest is negative
    quadrant += 1;
    fraction = ieee::difference({0, 0}, fraction);
  }
  double rest = 0;
  double lost = 0;
  if (fraction.high != 0 || fraction.low != 0) {
    int const zeros = ieee::leading_zeros(fraction);
    ieee::wide const f = ieee::shift_left(fraction, zeros);
    // 53 bits and 53 more, times pi/2.
    double const f1 = static_cast<double>(f.high >> 11) * 0x1p-53;
    double const f2 = static_cast<double>((f.high & 0x7ffu) << 42 | f.low >> 22) * 0x1p-106;
    using C = trig_constants<double>;
    using V = lane<double>;
    V second = mul_add(V(f1), V(C::pi2), V(f2) * V(C::pi1));
    V product, missing;
    if constexpr (simd::fuses<double>) {
      product = fma(V(f1), V(C::pi1), second);
      missing = fma(V(f1), V(C::pi1), -product) + second;
    } else {
      V const first = V(f1) * V(C::pi1);
      second = second + product_error(V(f1), V(C::pi1), first);
      product = first + second;
      missing = (first - product) + second;
    }
    double const power = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - zeros) << 52);
    rest = product.value * power;
    lost = missing.value * power;
  }
  bool const negative = upper != ieee::sign_bit(x);
  return {negative ? -rest : rest, negative ? -lost : lost, (ieee::sign_bit(x) ? -quadrant : quadrant) & 3};
}

// (sin(r) - r) / r^3 and (cos(r) - 1 + r^2/2) / r^4 for z = r^2, |r| <= pi/4.
template <class V>
EXPRAX_INLINE constexpr V sine_tail(V z) {
  if constexpr (is_single<V>)
    return polynomial(z, -0x1.994ccap-13f, 0x1.11075cp-7f, -0x1.555546p-3f);
  else
    return polynomial(z, -0x1.aaa4bb3506c75p-41, 0x1.612091f55ef66p-33, -0x1.ae645297c7cc5p-26, 0x1.71de3a5339bfcp-19,
                      -0x1.a01a01a018af3p-13, 0x1.111111111110bp-7, -0x1.5555555555555p-3);
}
template <class V>
EXPRAX_INLINE constexpr V cosine_tail(V z) {
  if constexpr (is_single<V>)
    return polynomial(z, 0x1.99ec2cp-16f, -0x1.6c0c38p-10f, 0x1.55554ap-5f);
  else
    return polynomial(z, -0x1.8fae3f726064bp-37, 0x1.1ee9ecb9cf19fp-29, -0x1.27e4f80e2540ep-22, 0x1.a01a019cbd62ap-16,
                      -0x1.6c16c16c1524dp-10, 0x1.555555555554cp-5);
}

// The sine of r + quadrant * pi/2 for |r| <= pi/4; quadrant is an integer, only its last two bits are used. Of a sine and a cosine of one
// angle, compilers see that all but the last steps are the same.
template <class V, class W>
EXPRAX_INLINE constexpr V sin_of_quadrant(V r, W quadrant) {
  using T = typename V::value_type;
  using I = typename W::value_type;
  V const z = factor(r, r);
  V const sine = mul_add(factor(r, z), sine_tail(z), r);
  V const cosine = mul_add(z, mul_add(z, cosine_tail(z), V(T(-0.5))), V(T(1)));
  auto const even = (quadrant & W(I(1))) == W(I(0));
  W const sign = (quadrant & W(I(2))) << (8 * static_cast<int>(sizeof(I)) - 2);
  return bitcast<T>(bitcast<I>(select(even, sine, cosine)) ^ sign);
}

// (tan(r) - r) / r^3 for z = r^2, |r| <= pi/4.
template <class V>
EXPRAX_INLINE constexpr V tangent_tail(V z) {
  if constexpr (is_single<V>)
    return polynomial(z, 0x1.faa74ep-9f, 0x1.2b27fp-10f, 0x1.47898p-7f, 0x1.620a8ap-6f, 0x1.ba5718p-5f, 0x1.111072p-3f, 0x1.555556p-2f);
  else
    return long_polynomial(z, 0x1.320ded21800aep-16, -0x1.1b932069a387fp-15, 0x1.1fd0fd7685614p-14, -0x1.c473f3c5f1831p-19,
                           0x1.f71e6840286a5p-14, 0x1.e37b1b18b0b1dp-13, 0x1.3683910d79627p-11, 0x1.7d887c7d9838cp-10, 0x1.d6d572d6073b1p-9,
                           0x1.226e2d2e95d04p-7, 0x1.664f48b3d9985p-6, 0x1.ba1ba1b981d8cp-5, 0x1.111111111170dp-3, 0x1.5555555555554p-2);
}

// The tangent of r - low + quadrant * pi/2; low is the rounding error of r, +0 if it is zero.
template <class V, class W>
EXPRAX_INLINE constexpr V tan_of_quadrant(V r, V low, W quadrant) {
  using T = typename V::value_type;
  using I = typename W::value_type;
  V const z = r * r;
  V const t = r + mul_add(r * z, tangent_tail(z), -mul_add(low, z, low));
  return select((quadrant & W(I(1))) == W(I(0)), t, V(T(-1)) / t);
}

// An angle r - low, where low is the rounding error of r.
template <class V>
struct angle_with_rest {
  V r;
  V low;
};
// first - part + lost: the difference is exact, or its rounding error goes into the rest.
template <class V>
EXPRAX_INLINE constexpr angle_with_rest<V> difference_with_rest(V first, V part, V lost) {
  V const second = first - part;
  V const rest = lost - ((first - second) - part);
  V const r = second - rest;
  return {r, rest - (second - r)};
}
// x - n * pi/2 for integer n near x / (pi/2), up to the limit. The first difference is exact: all terms are multiples of an ulp of pi/2.
template <class V>
EXPRAX_INLINE constexpr angle_with_rest<V> without_quadrants_to_limit(V x, V n) {
  using C = trig_constants<typename V::value_type>;
  V const part = n * V(C::tan_pi2);
  return difference_with_rest(residual(n, V(C::tan_pi1), x), part, mul_add(n, V(C::tan_pi3), product_error(n, V(C::tan_pi2), part)));
}
// The same; lanes up to near_limit use parts whose products are exact.
template <class V>
EXPRAX_INLINE constexpr angle_with_rest<V> without_quadrants_and_rest(V x, V n) {
  using C = trig_constants<typename V::value_type>;
  if constexpr (simd::fuses<typename V::value_type>) {
    return without_quadrants_to_limit(x, n);
  } else {
    auto angle = difference_with_rest(x - n * V(C::near_pi1), n * V(C::near_pi2), n * V(C::near_pi3));
    auto const near = abs(x) <= V(C::near_limit);
    if (!all(near)) {
      auto const far = without_quadrants_to_limit(x, n);
      angle = {select(near, angle.r, far.r), select(near, angle.low, far.low)};
    }
    return angle;
  }
}
// 64 bits of 2/pi from bit `first` on; bits before the point are zero.
template <class V>
EXPRAX_INLINE constexpr V without_quadrants(V x, V n) {
  using C = trig_constants<typename V::value_type>;
  if constexpr (simd::fuses<typename V::value_type>) {
    return fma(n, V(-C::pi3), fma(n, V(-C::pi2), fma(n, V(-C::pi1), x)));
  } else {
    V r = ((x - n * V(C::near_pi1)) - n * V(C::near_pi2)) - n * V(C::near_pi3);
    auto const near = abs(x) <= V(C::near_limit);
    if (!all(near)) r = select(near, r, without_quadrants_to_limit(x, n).r);
    return r;
  }
}

// The sine of x + shift * pi/2.
template <int Shift, class T>
struct sin_far {
  [[gnu::noinline]] constexpr T operator()(T x) const {
    if (!(ieee::magnitude(x) > trig_constants<T>::limit)) return T(0);  // unused
    if (!ieee::is_finite(x)) return ieee::quiet_nan<T>;
    using I = typename simd::detail::float_format<T>::integer;
    reduced_angle const angle = payne_hanek(static_cast<double>(x));
    return sin_of_quadrant(lane<T>(static_cast<T>(angle.rest)), lane<I>(static_cast<I>(angle.quadrant + Shift))).value;
  }
};

template <int Shift, class V>
EXPRAX_INLINE constexpr V sin_shifted(V x) {
  using T = typename V::value_type;
  using C = trig_constants<T>;
  using F = simd::detail::float_format<T>;
  using W = typename V::template rebind<typename F::integer>;
  V const magic = mul_add(x, V(C::two_over_pi), V(F::round_magic));
  V const n = magic - V(F::round_magic);
  V const r = without_quadrants(x, n);
  W const quadrant = bitcast<typename F::integer>(magic) + W(typename F::integer(Shift));
  V y = sin_of_quadrant(r, quadrant);
  auto const near = abs(x) <= V(C::limit);
  if (!all(near)) [[unlikely]] y = select(near, y, select(isnan(x), x, each_lane(sin_far<Shift, T>{}, x)));
  return y;
}

template <class T>
struct tan_far {
  [[gnu::noinline]] constexpr T operator()(T x) const {
    if (!(ieee::magnitude(x) > trig_constants<T>::limit)) return T(0);  // unused
    if (!ieee::is_finite(x)) return ieee::quiet_nan<T>;
    using I = typename simd::detail::float_format<T>::integer;
    reduced_angle const angle = payne_hanek(static_cast<double>(x));
    T const rest = static_cast<T>(angle.rest);
    T const low = sizeof(T) == 4 ? static_cast<T>(angle.rest - static_cast<double>(rest)) : static_cast<T>(angle.low);
    return tan_of_quadrant(lane<T>(rest), lane<T>(-low), lane<I>(static_cast<I>(angle.quadrant))).value;
  }
};

template <class V>
EXPRAX_INLINE constexpr V tan_of(V x) {
  using T = typename V::value_type;
  using C = trig_constants<T>;
  using F = simd::detail::float_format<T>;
  V const magic = mul_add(x, V(C::two_over_pi), V(F::round_magic));
  V const n = magic - V(F::round_magic);
  auto const [r, low] = without_quadrants_and_rest(x, n);
  V y = tan_of_quadrant(r, low, bitcast<typename F::integer>(magic));
  auto const near = abs(x) <= V(C::limit);
  if (!all(near)) [[unlikely]] y = select(near, y, select(isnan(x), x, each_lane(tan_far<T>{}, x)));
  return y;
}

}  // namespace exprax::detail
