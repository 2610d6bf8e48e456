// SPDX-License-Identifier: BSL-1.0
// float16 (IEEE 754 binary16) and bfloat16 (the upper half of a float): storage formats. Conversion rounds once, to nearest with ties to
// even; arithmetic is done in float.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace exprax {

namespace detail {

// A double as a binary float with the given bits of exponent and fraction, in the low bits.
template <int Exponent, int Fraction>
constexpr std::uint16_t narrowed(double x) {
  constexpr int bias = (1 << (Exponent - 1)) - 1, dropped = 52 - Fraction;
  constexpr std::uint64_t infinity = static_cast<std::uint64_t>((1 << Exponent) - 1) << Fraction, infinite = std::uint64_t{0x7ff} << 52;
  std::uint64_t const bits = std::bit_cast<std::uint64_t>(x), size = bits & ~(std::uint64_t{1} << 63);
  std::uint64_t const sign = bits >> 63 << (Exponent + Fraction);
  auto const rounded = [](std::uint64_t n, int shift) {
    return (n + (std::uint64_t{1} << (shift - 1)) - 1 + (n >> shift & 1)) >> shift;
  };
  std::uint64_t r = infinity;
  if (size > infinite) {
    r = infinity | std::uint64_t{1} << (Fraction - 1);
  } else if (int const field = static_cast<int>(size >> 52) - 1023 + bias; field > 0) {
    r = rounded(size - (static_cast<std::uint64_t>(1023 - bias) << 52), dropped);
    if (r > infinity) r = infinity;
  } else {
    std::uint64_t const significand = (size & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52;
    r = dropped + 1 - field > 62 ? 0 : rounded(significand, dropped + 1 - field);  // also for double's subnormals
  }
  return static_cast<std::uint16_t>(r | sign);
}
// A 64-bit integer as a double that rounds to formats of less than 52 bits as the integer does: the last bit is sticky.
template <std::integral I>
constexpr double marked_double(I n) {
  if constexpr (sizeof(I) == 8) {
    if (I const rest = n & 0xfff; rest != 0 && (n >= I{1} << 53 || n < -(std::is_signed_v<I> ? I{1} << 53 : I{0})))
      return static_cast<double>((n - rest) | 0x800);
  }
  return static_cast<double>(n);
}

// Common base of both formats.
template <class Self, int Exponent, int Fraction>
class half_format {
 public:
  half_format() = default;
  template <std::floating_point F>
  constexpr explicit half_format(F x) : bits_(narrowed<Exponent, Fraction>(static_cast<double>(x))) {}
  template <std::integral I>
  constexpr explicit half_format(I n) : bits_(narrowed<Exponent, Fraction>(marked_double(n))) {}
  template <class Other>
    requires(Other::fraction_bits != Fraction)
  constexpr explicit half_format(Other x) : half_format(static_cast<float>(x)) {}
  static constexpr Self from_bits(std::uint16_t bits) {
    Self x;
    x.bits_ = bits;
    return x;
  }
  constexpr std::uint16_t bits() const { return bits_; }
  // The stored bits, for code that reads arrays of them.
  constexpr std::uint16_t const* storage() const { return &bits_; }
  constexpr std::uint16_t* storage() { return &bits_; }

  constexpr Self operator-() const { return from_bits(static_cast<std::uint16_t>(bits_ ^ 0x8000u)); }

  static constexpr int exponent_bits = Exponent, fraction_bits = Fraction;

 private:
  std::uint16_t bits_;
};

}  // namespace detail

class float16 : public detail::half_format<float16, 5, 10> {
 public:
  using half_format::half_format;
  float16() = default;
  constexpr operator float() const {
    std::uint32_t const sign = static_cast<std::uint32_t>(bits() & 0x8000u) << 16, size = bits() & 0x7fffu;
    if (size < 0x400u) return (sign != 0 ? -1.0f : 1.0f) * static_cast<float>(size) * 0x1p-24f;
    return std::bit_cast<float>(sign | ((size >= 0x7c00u ? 0x70000000u : 0x38000000u) + (size << 13)));
  }
};

class bfloat16 : public detail::half_format<bfloat16, 8, 7> {
 public:
  using half_format::half_format;
  bfloat16() = default;
  constexpr operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits()) << 16); }
};

namespace detail {

template <class T>
inline constexpr bool is_half_type = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

}  // namespace detail

}  // namespace exprax
