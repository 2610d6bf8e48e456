// SPDX-License-Identifier: BSL-1.0
// a*b + c rounded once, without hardware: for float by double arithmetic rounded to odd (Boldo and Melquiond, "Emulation of FMA and
// correctly rounded sums", 2008), for double by 128-bit integers. Usable in constant evaluation on every compiler.
#pragma once

#include <bit>
#include <cstdint>

#include <exprax/math/ieee.hpp>

namespace exprax::detail::ieee {

struct wide {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
};

constexpr wide product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t const a0 = a & 0xffffffffu, a1 = a >> 32;
  std::uint64_t const b0 = b & 0xffffffffu, b1 = b >> 32;
  std::uint64_t const p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0;
  std::uint64_t const middle = (p00 >> 32) + (p01 & 0xffffffffu) + (p10 & 0xffffffffu);
  return {a1 * b1 + (p01 >> 32) + (p10 >> 32) + (middle >> 32), middle << 32 | (p00 & 0xffffffffu)};
}
constexpr wide shift_left(wide x, int n) {
  if (n == 0) return x;
  if (n >= 64) return {x.low << (n - 64), 0};
  return {x.high << n | x.low >> (64 - n), x.low << n};
}
// Bits shifted out are kept as a one in the last place.
constexpr wide shift_right_sticky(wide x, int n) {
  if (n == 0) return x;
  if (n >= 128) return {0, (x.high | x.low) != 0 ? 1u : 0u};
  if (n >= 64) {
    std::uint64_t const lost = n == 64 ? x.low : x.low | x.high << (128 - n);
    return {0, (n == 64 ? x.high : x.high >> (n - 64)) | (lost != 0 ? 1u : 0u)};
  }
  std::uint64_t const lost = x.low << (64 - n);
  return {x.high >> n, x.low >> n | x.high << (64 - n) | (lost != 0 ? 1u : 0u)};
}
constexpr int leading_zeros(wide x) { return x.high != 0 ? std::countl_zero(x.high) : 64 + std::countl_zero(x.low); }
constexpr bool less(wide a, wide b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }
constexpr wide sum(wide a, wide b) {
  std::uint64_t const low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1u : 0u), low};
}
constexpr wide difference(wide a, wide b) { return {a.high - b.high - (a.low < b.low ? 1u : 0u), a.low - b.low}; }

// A number as sign, integer significand and exponent: significand * 2^exponent.
struct parts {
  std::uint64_t significand;
  int exponent;
};
constexpr parts decompose(double x) {
  std::uint64_t const bits = std::bit_cast<std::uint64_t>(x);
  int const biased = static_cast<int>(bits >> 52 & 0x7ffu);
  std::uint64_t const fraction = bits & 0xfffffffffffffu;
  if (biased == 0) return {fraction, -1074};
  return {fraction | 0x10000000000000u, biased - 1075};
}

// m * 2^(exponent - 125) to the nearest double, where m has its leading one in bit 125.
constexpr double compose(bool negative, wide m, int exponent) {
  double const sign = negative ? -1.0 : 1.0;
  if (exponent > 1023) return sign * infinity<double>;
  bool const subnormal = exponent < -1022;
  // Keep 53 bits, fewer below the normal numbers: drop the rest from bit 125 down.
  int const drop = 73 + (subnormal ? -1022 - exponent : 0);
  wide const kept = shift_right_sticky(m, drop - 2);  // two more bits: a rounding bit and a sticky bit
  std::uint64_t significand = kept.low >> 2;
  bool const up = (kept.low & 2u) != 0 && ((kept.low & 1u) != 0 || (significand & 1u) != 0);
  significand += up ? 1u : 0u;
  std::uint64_t bits = significand;
  // A carry into the exponent gives the right result, also from the largest number to infinity.
  if (!subnormal) bits = (static_cast<std::uint64_t>(exponent + 1022) << 52) + significand;
  return std::bit_cast<double>(bits | (negative ? std::uint64_t{1} << 63 : 0u));
}

[[gnu::noinline]] constexpr double fma(double a, double b, double c) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return quiet_nan<double>;
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0) return add(mul(a, b), c);
  if (!is_finite(c)) return c;
  parts const pa = decompose(a);
  parts const pb = decompose(b);
  bool sign_p = sign_bit(a) != sign_bit(b);
  wide p = product(pa.significand, pb.significand);
  int const shift_p = leading_zeros(p) - 2;
  p = shift_left(p, shift_p);
  int exponent = pa.exponent + pb.exponent - shift_p + 125;
  if (c == 0) return compose(sign_p, p, exponent);

  parts const pc = decompose(c);
  bool sign_q = sign_bit(c);
  wide q{0, pc.significand};
  int const shift_q = leading_zeros(q) - 2;
  q = shift_left(q, shift_q);
  int const exponent_q = pc.exponent - shift_q + 125;
  if (exponent < exponent_q || (exponent == exponent_q && less(p, q))) {  // p is the larger one from here on
    wide const w = p;
    p = q;
    q = shift_right_sticky(w, exponent_q - exponent);
    exponent = exponent_q;
    sign_p = sign_q;
    sign_q = sign_bit(a) != sign_bit(b);
  } else {
    q = shift_right_sticky(q, exponent - exponent_q);
  }
  wide r = sign_p == sign_q ? sum(p, q) : difference(p, q);
  if (r.high == 0 && r.low == 0) return 0.0;
  int const shift = leading_zeros(r) - 2;
  r = shift < 0 ? shift_right_sticky(r, -shift) : shift_left(r, shift);
  return compose(sign_p, r, exponent - shift);
}

// The product is exact in double; the sum is rounded to odd there, so that rounding it to float is the only rounding.
[[gnu::noinline]] constexpr float fma(float a, float b, float c) {
  if (!is_finite(a) || !is_finite(b) || !is_finite(c)) {
    if (is_finite(a) && is_finite(b) && !is_nan(c)) return c;
    return add(mul(a, b), c);
  }
  double const p = static_cast<double>(a) * static_cast<double>(b);
  double const z = static_cast<double>(c);
  double const s = p + z;
  double const virtual_z = s - p;
  double const error = (p - (s - virtual_z)) + (z - virtual_z);
  std::uint64_t bits = std::bit_cast<std::uint64_t>(s);
  if (error != 0 && (bits & 1u) == 0) bits += (error > 0) == (s > 0) ? 1u : ~std::uint64_t{0};
  return narrow(std::bit_cast<double>(bits));
}

}  // namespace exprax::detail::ieee
