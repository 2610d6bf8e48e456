// SPDX-License-Identifier: BSL-1.0
// Single elements: as 64 bits, the form of constants in a program (integers sign- or zero-extended, floats in the low half),
// and as numbers of another dtype.
#pragma once

#include <bit>
#include <cstdint>

#include <exprax/types/dtype.hpp>

namespace exprax::detail {

template <class T>
constexpr std::uint64_t to_bits(T x) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(x);
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(x);
  else return static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
}
template <class T>
constexpr T from_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
  else return static_cast<T>(bits);
}

// C++ numbers of one dtype as another, as XLA converts them: to bool by comparison with 0, floats to integers towards 0
// with saturation.
template <class To, class From>
constexpr To convert_number(From x) {
  if constexpr (std::is_same_v<To, bool>) return x != From(0);
  else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (x != x) return To(0);
    constexpr int bits = static_cast<int>(sizeof(To)) * 8 - (std::is_signed_v<To> ? 1 : 0);
    From limit = 1;
    for (int i = 0; i < bits; ++i) limit *= 2;
    if (x >= limit) return static_cast<To>(~std::uint64_t{0} >> (64 - bits));
    if (std::is_signed_v<To> ? x < -limit : x <= From(-1)) return static_cast<To>(std::is_signed_v<To> ? ~(~std::uint64_t{0} >> (64 - bits)) : 0);
    return static_cast<To>(x);
  } else if constexpr (std::is_same_v<To, float> && std::is_same_v<From, double>) {
    // The rounding of numbers beyond float's range is no constant expression.
    constexpr double largest = 0x1.ffffffp127;
    if (x >= largest) return __builtin_inff();
    if (x <= -largest) return -__builtin_inff();
    return static_cast<float>(x);
  } else return static_cast<To>(x);
}

}  // namespace exprax::detail
