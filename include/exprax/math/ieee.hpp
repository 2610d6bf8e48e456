// SPDX-License-Identifier: BSL-1.0
// IEEE 754 arithmetic in constant evaluation. g++ rejects constant expressions that overflow or divide by zero, clang those that yield a
// NaN, and clang does not fold sqrt: here each has its IEEE result (a NaN is the positive quiet NaN).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace exprax::detail::ieee {

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T quiet_nan = std::numeric_limits<T>::quiet_NaN();

template <class T>
constexpr bool is_nan(T x) {
  return x != x;
}
template <class T>
constexpr T magnitude(T x) {
  return x < 0 ? -x : x;
}
template <class T>
constexpr bool is_finite(T x) {
  return magnitude(x) <= std::numeric_limits<T>::max();
}
constexpr bool sign_bit(float x) { return std::bit_cast<std::uint32_t>(x) >> 31 != 0; }
constexpr bool sign_bit(double x) { return std::bit_cast<std::uint64_t>(x) >> 63 != 0; }

// Double to float; overflow gives infinity.
constexpr float narrow(double x) {
  if (is_nan(x)) return quiet_nan<float>;
  if (magnitude(x) >= 0x1.ffffffp127) return x < 0 ? -infinity<float> : infinity<float>;
  return static_cast<float>(x);
}

constexpr double add(double a, double b) {
  if (magnitude(a) < 0x1p1022 && magnitude(b) < 0x1p1022) return a + b;
  if (is_nan(a) || is_nan(b)) return quiet_nan<double>;
  if (!is_finite(a)) return is_finite(b) || a == b ? a : quiet_nan<double>;
  if (!is_finite(b)) return b;
  double const half = a * 0.5 + b * 0.5;
  if (magnitude(half) >= 0x1p1023) return half < 0 ? -infinity<double> : infinity<double>;
  return half * 2;
}

constexpr double mul(double a, double b) {
  if (magnitude(a) < 0x1p511 && magnitude(b) < 0x1p511) return a * b;
  if (is_nan(a) || is_nan(b)) return quiet_nan<double>;
  double const big = magnitude(a) < magnitude(b) ? magnitude(b) : magnitude(a);
  double const small = magnitude(a) < magnitude(b) ? magnitude(a) : magnitude(b);
  double const inf = sign_bit(a) != sign_bit(b) ? -infinity<double> : infinity<double>;
  if (!is_finite(big)) return small == 0 ? quiet_nan<double> : inf;
  if (small >= 0x1p512) return inf;
  return big * 0x1p-512 * small >= 0x1p512 ? inf : a * b;
}

constexpr double div(double a, double b) {
  if (is_nan(a) || is_nan(b)) return quiet_nan<double>;
  bool const negative = sign_bit(a) != sign_bit(b);
  double const inf = negative ? -infinity<double> : infinity<double>;
  if (!is_finite(a)) return is_finite(b) ? inf : quiet_nan<double>;
  if (!is_finite(b)) return negative ? -0.0 : 0.0;
  if (b == 0) return a == 0 ? quiet_nan<double> : inf;
  if (magnitude(b) >= 1 || magnitude(a) < 0x1p-50) return a / b;
  double const scaled = magnitude(a) * 0x1p-960 / (magnitude(b) * 0x1p500);  // the quotient times 2^-1460
  return scaled >= 0x1p-436 ? inf : a / b;
}

// Digit by digit: 54 bits of the root of m * 2^54, the last of which is the rounding bit. A root is never half way between two numbers.
constexpr double sqrt(double x) {
  if (x == 0 || is_nan(x) || x == infinity<double>) return x;
  if (x < 0) return quiet_nan<double>;
  double const y = x < 0x1p-900 ? x * 0x1p100 : x;
  std::uint64_t const bits = std::bit_cast<std::uint64_t>(y);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  std::uint64_t m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  if (exponent & 1) {
    m <<= 1;
    exponent -= 1;
  }
  std::uint64_t root = 0;
  std::uint64_t rest = 0;
  for (int i = 0; i < 54; ++i) {
    std::uint64_t const digits = i < 27 ? m >> (52 - 2 * i) & 3u : 0u;
    rest = rest << 2 | digits;
    std::uint64_t const trial = root << 2 | 1u;
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1u;
    }
  }
  std::uint64_t const rounded = (root + 1) >> 1;
  double const r = std::bit_cast<double>(((rounded >> 53 ? rounded >> 1 : rounded) & 0xfffffffffffffu) |
                                         static_cast<std::uint64_t>(exponent / 2 + 1023 + static_cast<int>(rounded >> 53)) << 52);
  return x < 0x1p-900 ? r * 0x1p-50 : r;
}

// 53 bits are enough for the second rounding, to 24 bits, to be harmless.
constexpr float add(float a, float b) { return narrow(add(static_cast<double>(a), static_cast<double>(b))); }
constexpr float mul(float a, float b) { return narrow(mul(static_cast<double>(a), static_cast<double>(b))); }
constexpr float div(float a, float b) { return narrow(div(static_cast<double>(a), static_cast<double>(b))); }
constexpr float sqrt(float x) { return narrow(sqrt(static_cast<double>(x))); }

// To an integer, in the given direction. Numbers from 2^(digits - 1) on are integers already.
enum class rounding { down, up, to_zero, to_even };

template <class T>
constexpr T round(T x, rounding way) {
  constexpr T limit = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);
  if (!(magnitude(x) < limit)) return x;
  std::int64_t const whole = static_cast<std::int64_t>(x);  // towards zero
  T const rest = x - static_cast<T>(whole);
  std::int64_t step = 0;
  if (way == rounding::down) step = rest < 0 ? -1 : 0;
  if (way == rounding::up) step = rest > 0 ? 1 : 0;
  if (way == rounding::to_even) {
    T const distance = magnitude(rest);
    if (distance > T(0.5) || (distance == T(0.5) && (whole & 1) != 0)) step = rest < 0 ? -1 : 1;
  }
  T const result = static_cast<T>(whole + step);
  return result == 0 && sign_bit(x) ? -T(0) : result;
}

// x - n*y with n = trunc(x/y): exact, with the sign of x. One bit of the quotient at a time.
template <class T>
[[gnu::noinline]] constexpr T fmod(T x, T y) {
  T const b = magnitude(y);
  if (is_nan(x) || is_nan(y) || !is_finite(x) || y == 0) return quiet_nan<T>;
  T rest = magnitude(x);
  if (!is_finite(y) || rest < b) return x;
  T shifted = b;
  while (shifted <= rest * T(0.5)) shifted = shifted + shifted;
  for (;; shifted = shifted * T(0.5)) {
    if (rest >= shifted) rest = rest - shifted;
    if (shifted == b) break;
  }
  return sign_bit(x) ? -rest : rest;
}

}  // namespace exprax::detail::ieee
