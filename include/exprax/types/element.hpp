// SPDX-License-Identifier: BSL-1.0
// with_element turns a dtype that is known as a value into its C++ type.
#pragma once

#include <exprax/types/bits.hpp>

namespace exprax::detail {

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
