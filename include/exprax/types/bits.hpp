// SPDX-License-Identifier: BSL-1.0
// Single elements: as 64 bits, the form of constants in a program (integers sign- or zero-extended, shorter floats in the low bits; a
// complex number is two patterns, the real part first), and converted to other dtypes.
#pragma once

#include <bit>
#include <cstdint>

#include <exprax/types/dtype.hpp>

namespace exprax::detail {

template <class T>
constexpr std::uint64_t to_bits(T x) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(x);
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(x);
  else if constexpr (is_half_type<T>) return x.bits();
  else if constexpr (std::is_same_v<T, prng_key>) return x.bits;
  else return static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
}
template <class T>
constexpr T from_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
  else if constexpr (is_half_type<T>) return T::from_bits(static_cast<std::uint16_t>(bits));
  else if constexpr (std::is_same_v<T, prng_key>) return {bits};
  else return static_cast<T>(bits);
}

// All patterns of one element.
template <class T>
struct element_patterns {
  std::uint64_t of[1];
  constexpr explicit element_patterns(T x) : of{to_bits(x)} {}
  static constexpr T read(std::uint64_t const* p) { return from_bits<T>(*p); }
};
template <class T>
struct element_patterns<std::complex<T>> {
  std::uint64_t of[2];
  constexpr explicit element_patterns(std::complex<T> x) : of{to_bits(x.real()), to_bits(x.imag())} {}
  static constexpr std::complex<T> read(std::uint64_t const* p) { return {from_bits<T>(p[0]), from_bits<T>(p[1])}; }
};

// Converts a C++ number to another dtype, as XLA does: to bool by comparison with 0, floats to integers towards 0 with saturation; a
// complex number to a real one by its real part.
template <class To, class From>
constexpr To convert_number(From x) {
  if constexpr (is_half_type<From>) return convert_number<To>(static_cast<float>(x));
  else if constexpr (is_std_complex<To>) {
    using part = typename To::value_type;
    if constexpr (is_std_complex<From>) return {convert_number<part>(x.real()), convert_number<part>(x.imag())};
    else return {convert_number<part>(x), part(0)};
  } else if constexpr (is_std_complex<From> && std::is_same_v<To, bool>) return x.real() != 0 || x.imag() != 0;
  else if constexpr (is_std_complex<From>) return convert_number<To>(x.real());
  else if constexpr (is_half_type<To>) return To(x);
  else if constexpr (std::is_same_v<To, bool>) return x != From(0);
  else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (x != x) return To(0);
    constexpr int bits = static_cast<int>(sizeof(To)) * 8 - (std::is_signed_v<To> ? 1 : 0);
    From limit = 1;
    for (int i = 0; i < bits; ++i) limit *= 2;
    if (x >= limit) return static_cast<To>(~std::uint64_t{0} >> (64 - bits));
    if (std::is_signed_v<To> ? x < -limit : x <= From(-1))
      return static_cast<To>(std::is_signed_v<To> ? ~(~std::uint64_t{0} >> (64 - bits)) : 0);
    return static_cast<To>(x);
  } else if constexpr (std::is_same_v<To, float> && std::is_same_v<From, double>) {
    // Converting a number beyond float's range is not a constant expression.
    constexpr double largest = 0x1.ffffffp127;
    if (x >= largest) return __builtin_inff();
    if (x <= -largest) return -__builtin_inff();
    return static_cast<float>(x);
  } else return static_cast<To>(x);
}

}  // namespace exprax::detail
