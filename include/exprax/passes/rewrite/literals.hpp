// SPDX-License-Identifier: BSL-1.0
// Bit patterns that the algebraic rules recognise: 0, 1, -1, the infinities, powers of two, and values with an exact reciprocal.
#pragma once

#include <cstdint>

#include <exprax/types/dtype.hpp>

namespace exprax::detail {

constexpr std::uint64_t sign_bit(dtype d) { return d == dtype::f32 ? 0x80000000u : 0x8000000000000000u; }

constexpr std::uint64_t one_bits(dtype d) { return d == dtype::f32 ? 0x3f800000u : d == dtype::f64 ? 0x3ff0000000000000u : 1u; }

// -1 as a float or a signed integer.
constexpr bool is_minus_one(dtype d, std::uint64_t bits) {
  if (is_floating(d)) return bits == (one_bits(d) | sign_bit(d));
  return is_signed_integer(d) && bits == ~std::uint64_t{0};
}

// Whether all bits of the element are set (for bool: true).
constexpr bool is_all_ones(dtype d, std::uint64_t bits) {
  if (is_bool(d)) return bits == 1;
  if (is_signed_integer(d)) return bits == ~std::uint64_t{0};
  return is_unsigned_integer(d) && bits == ~std::uint64_t{0} >> (64 - 8 * size_of(d));
}

// The n for which the positive integer c is 2^n, or -1.
constexpr int binary_logarithm(std::uint64_t c) { return (c & (c - 1)) == 0 ? __builtin_ctzll(c) : -1; }

// The identity of addition: -0 for floats, since -0 + 0 is 0.
constexpr bool is_neutral_of_sum(dtype d, std::uint64_t bits) { return bits == (is_floating(d) ? sign_bit(d) : 0u); }

constexpr std::uint64_t infinity_bits(dtype d) { return d == dtype::f32 ? 0x7f800000u : 0x7ff0000000000000u; }

// The identity of max (or min): -inf (or +inf), the smallest (or largest) integer.
constexpr bool is_neutral_of_extremum(dtype d, std::uint64_t bits, bool is_max) {
  if (is_floating(d)) return bits == (is_max ? infinity_bits(d) | sign_bit(d) : infinity_bits(d));
  if (!is_signed_integer(d)) return is_max ? bits == 0 : is_all_ones(d, bits);
  std::uint64_t const lowest = ~std::uint64_t{0} << (8 * size_of(d) - 1);
  return bits == (is_max ? lowest : ~lowest);
}

constexpr bool is_nan_bits(dtype d, std::uint64_t bits) { return (bits & ~sign_bit(d)) > infinity_bits(d); }

// The bits of 1/c if c is a power of two and both are normal: then x/c and x*(1/c) are equal. 0: none.
constexpr std::uint64_t exact_reciprocal(dtype d, std::uint64_t c) {
  int const mantissa = d == dtype::f32 ? 23 : 52;
  std::uint64_t const exponent_mask = d == dtype::f32 ? 0xffu : 0x7ffu;
  std::uint64_t const exponent = c >> mantissa & exponent_mask;
  std::uint64_t const bias = exponent_mask >> 1;
  if ((c & ((std::uint64_t{1} << mantissa) - 1)) != 0 || exponent == 0 || exponent >= 2 * bias) return 0;
  return (c & sign_bit(d)) | (2 * bias - exponent) << mantissa;
}

// Whether the float c is at or beyond the largest number of an integer type, or its smallest one: conversions saturate there.
constexpr bool is_beyond(dtype d, std::uint64_t c, dtype integers, bool largest) {
  double const x = d == dtype::f32 ? __builtin_bit_cast(float, static_cast<std::uint32_t>(c)) : __builtin_bit_cast(double, c);
  double end = 1;  // one more than the largest
  for (int i = is_signed_integer(integers); i < 8 * size_of(integers); ++i) end *= 2;
  return largest ? x >= end - 1 : x <= (is_signed_integer(integers) ? -end : 0);
}

// Whether `to` represents every value of `from` exactly.
constexpr bool converts_exactly(dtype from, dtype to) {
  if (from == to || is_bool(from)) return true;
  if (is_bool(to)) return false;
  if (is_floating(from)) return is_floating(to) && size_of(from) <= size_of(to);
  if (is_floating(to)) return size_of(from) < size_of(to);
  if (is_signed_integer(from)) return is_signed_integer(to) && size_of(from) <= size_of(to);
  return size_of(from) < size_of(to) || (is_unsigned_integer(to) && size_of(from) == size_of(to));
}

}  // namespace exprax::detail
