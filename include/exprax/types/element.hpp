// SPDX-License-Identifier: BSL-1.0
// with_element maps a runtime dtype to its C++ type; patterns of numbers whose dtype is known at run time.
#pragma once

#include <exprax/types/bits.hpp>

namespace exprax::detail {

template <class T>
struct element_tag {
  using type = T;
};

// Not constexpr: half and complex dtypes are lowered before a program runs (legalize/lower_types.hpp).
inline void a_dtype_that_is_not_computed_in() { __builtin_trap(); }

// f(element_tag<T>{}) for the C++ type T of the elements of d. Only for dtypes that kernels compute in, and for keys, which are 64-bit
// patterns; half and complex numbers are lowered to these before a program runs.
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
    case dtype::u64:
    case dtype::key: return f(element_tag<std::uint64_t>{});
    case dtype::f32: return f(element_tag<float>{});
    case dtype::f64: return f(element_tag<double>{});
    default: a_dtype_that_is_not_computed_in(); return f(element_tag<double>{});
  }
}

// The pattern in dtype d of the result of f(element_tag<T>{}), where T is the type that d is computed in.
template <class F>
constexpr std::uint64_t bits_in(dtype d, F&& f) {
  if (d == dtype::f16) return to_bits(float16(f(element_tag<float>{})));
  if (d == dtype::bf16) return to_bits(bfloat16(f(element_tag<float>{})));
  return with_element(real_dtype(d), [&](auto tag) { return to_bits(f(tag)); });
}

// The pattern of x in dtype d, which is inexact; for a complex dtype, of its real part.
constexpr std::uint64_t bits_of_real(dtype d, double x) {
  dtype const part = real_dtype(d);
  if (part == dtype::f64) return to_bits(x);
  float const rounded = convert_number<float>(x);
  return part == dtype::f16 ? to_bits(float16(rounded)) : part == dtype::bf16 ? to_bits(bfloat16(rounded)) : to_bits(rounded);
}
// The low bits of an integer, sign- or zero-extended as in its dtype.
constexpr std::uint64_t wrapped(dtype d, std::uint64_t bits) {
  if (!is_integer(d)) return bits;
  int const unused = 64 - 8 * size_of(d);
  if (is_signed_integer(d)) return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
  return bits << unused >> unused;
}

// The pattern of a small integer in dtype d, for identities and fill values; for a complex dtype, of its real part.
constexpr std::uint64_t bits_of_int(dtype d, int n) {
  if (is_inexact(d)) return bits_of_real(d, n);
  return is_bool(d) ? n != 0 : wrapped(d, to_bits(n));
}

// The pattern of the least or greatest element of a dtype that is ordered: of floats an infinity.
constexpr std::uint64_t bits_of_extreme(dtype d, bool greatest) {
  if (is_floating(d)) return bits_of_real(d, greatest ? __builtin_inf() : -__builtin_inf());
  if (!is_signed_integer(d)) return !greatest ? 0 : is_bool(d) ? 1 : wrapped(d, ~std::uint64_t{0});
  std::uint64_t const least = ~std::uint64_t{0} << (8 * size_of(d) - 1);
  return greatest ? ~least : least;
}

}  // namespace exprax::detail
