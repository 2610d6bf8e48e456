// SPDX-License-Identifier: BSL-1.0
// Elements as the 64-bit patterns in which programs hold constants and the interpreter holds values: an integer is
// sign- or zero-extended, a float's bits stand in the low half. with_element turns a dtype into its C++ type.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <exprax/types/dtype.hpp>

namespace exprax::detail {

template <class T>
constexpr std::uint64_t to_bits(T x) {
  if constexpr (std::is_same_v<T, bool>) return x ? 1u : 0u;
  else if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(x);
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(x);
  else if constexpr (std::is_signed_v<T>) return static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
  else return static_cast<std::uint64_t>(x);
}

template <class T>
constexpr T from_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, bool>) return bits != 0;
  else if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
  else return static_cast<T>(bits);
}

template <class T>
struct element_tag {
  using type = T;
};

// f(element_tag<T>{}) for the C++ type T of the elements of d.
template <class F>
constexpr decltype(auto) with_element(dtype d, F&& f) {
  switch (d) {
    case dtype::b1: return f(element_tag<bool>{});
    case dtype::i8: return f(element_tag<std::int8_t>{});
    case dtype::i16: return f(element_tag<std::int16_t>{});
    case dtype::i32: return f(element_tag<std::int32_t>{});
    case dtype::i64: return f(element_tag<std::int64_t>{});
    case dtype::u8: return f(element_tag<std::uint8_t>{});
    case dtype::u16: return f(element_tag<std::uint16_t>{});
    case dtype::u32: return f(element_tag<std::uint32_t>{});
    case dtype::u64: return f(element_tag<std::uint64_t>{});
    case dtype::f32: return f(element_tag<float>{});
    default: return f(element_tag<double>{});
  }
}

// The pattern of a small whole number in dtype d, for identities and fillings.
constexpr std::uint64_t bits_of_int(dtype d, int n) {
  return with_element(d, [n](auto tag) { return to_bits(static_cast<typename decltype(tag)::type>(n)); });
}

}  // namespace exprax::detail
