// SPDX-License-Identifier: BSL-1.0
// The element types (NumPy dtypes, and random keys) and weak<T>, the type of a C++ literal, which takes the dtype of the other operand.
#pragma once

#include <complex>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <exprax/types/half.hpp>

namespace exprax {

enum class dtype : std::uint8_t { b1, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, c64, c128, key };
inline constexpr int dtype_count = 16;

using complex64 = std::complex<float>;
using complex128 = std::complex<double>;

template <class T>
struct weak {};

// A key for random number generation (ex::random; JAX's key<fry>): two 32-bit words, the first one in the low half. Arrays of keys have
// shapes like other arrays, and are moved, selected and mapped over; only ex::random computes with them.
struct prng_key {
  std::uint64_t bits;
  constexpr std::uint32_t word(int k) const { return static_cast<std::uint32_t>(bits >> (32 * k)); }
  static constexpr prng_key of(std::uint32_t first, std::uint32_t second) { return {first | std::uint64_t{second} << 32}; }
  constexpr bool operator==(prng_key const&) const = default;
};

namespace detail {

// A C++ number.
template <class T>
inline constexpr bool is_number_type = std::is_arithmetic_v<T> || is_half_type<T>;
template <class T>
inline constexpr bool is_number_type<std::complex<T>> = std::is_floating_point_v<T>;

template <class T>
inline constexpr bool is_weak = false;
template <class T>
inline constexpr bool is_weak<weak<T>> = true;

template <class T>
struct strong {
  using type = T;
};
template <class T>
struct strong<weak<T>> {
  using type = T;
};

// long and long long have the same width on LP64 targets, so integers are identified by width and sign.
template <class T>
constexpr dtype dtype_of_strong() {
  if constexpr (std::is_same_v<T, bool>) return dtype::b1;
  else if constexpr (std::is_same_v<T, float>) return dtype::f32;
  else if constexpr (std::is_same_v<T, double>) return dtype::f64;
  else if constexpr (std::is_same_v<T, float16>) return dtype::f16;
  else if constexpr (std::is_same_v<T, bfloat16>) return dtype::bf16;
  else if constexpr (std::is_same_v<T, complex64>) return dtype::c64;
  else if constexpr (std::is_same_v<T, complex128>) return dtype::c128;
  else if constexpr (std::is_same_v<T, prng_key>) return dtype::key;
  else {
    static_assert(
        std::is_integral_v<T>,
        "exprax: not a dtype: use bool, (u)int8 to (u)int64, float16, bfloat16, float, double, or std::complex of float or double");
    constexpr int log2_bytes = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<dtype>(static_cast<int>(std::is_signed_v<T> ? dtype::i8 : dtype::u8) + log2_bytes);
  }
}

template <dtype D>
struct cpp_type;
template <> struct cpp_type<dtype::b1> { using type = bool; };
template <> struct cpp_type<dtype::i8> { using type = std::int8_t; };
template <> struct cpp_type<dtype::i16> { using type = std::int16_t; };
template <> struct cpp_type<dtype::i32> { using type = std::int32_t; };
template <> struct cpp_type<dtype::i64> { using type = std::int64_t; };
template <> struct cpp_type<dtype::u8> { using type = std::uint8_t; };
template <> struct cpp_type<dtype::u16> { using type = std::uint16_t; };
template <> struct cpp_type<dtype::u32> { using type = std::uint32_t; };
template <> struct cpp_type<dtype::u64> { using type = std::uint64_t; };
template <> struct cpp_type<dtype::f16> { using type = float16; };
template <> struct cpp_type<dtype::bf16> { using type = bfloat16; };
template <> struct cpp_type<dtype::f32> { using type = float; };
template <> struct cpp_type<dtype::f64> { using type = double; };
template <> struct cpp_type<dtype::c64> { using type = complex64; };
template <> struct cpp_type<dtype::c128> { using type = complex128; };
template <> struct cpp_type<dtype::key> { using type = prng_key; };

template <class T>
inline constexpr bool is_std_complex = false;
template <class T>
inline constexpr bool is_std_complex<std::complex<T>> = true;

}  // namespace detail

template <class T>
using strong_t = typename detail::strong<T>::type;

template <class T>
inline constexpr dtype dtype_of = detail::dtype_of_strong<strong_t<T>>();

// The C++ type of the elements of a dtype.
template <dtype D>
using element_t = typename detail::cpp_type<D>::type;

constexpr bool is_bool(dtype d) { return d == dtype::b1; }
constexpr bool is_signed_integer(dtype d) { return d >= dtype::i8 && d <= dtype::i64; }
constexpr bool is_unsigned_integer(dtype d) { return d >= dtype::u8 && d <= dtype::u64; }
constexpr bool is_integer(dtype d) { return d >= dtype::i8 && d <= dtype::u64; }
constexpr bool is_half(dtype d) { return d == dtype::f16 || d == dtype::bf16; }
constexpr bool is_floating(dtype d) { return d >= dtype::f16 && d <= dtype::f64; }
constexpr bool is_complex(dtype d) { return d == dtype::c64 || d == dtype::c128; }
constexpr bool is_inexact(dtype d) { return is_floating(d) || is_complex(d); }
constexpr bool is_key(dtype d) { return d == dtype::key; }
// The dtype of the parts of a complex number, and the complex dtype with such parts.
constexpr dtype real_dtype(dtype d) { return d == dtype::c64 ? dtype::f32 : d == dtype::c128 ? dtype::f64 : d; }
constexpr dtype complex_dtype(dtype d) { return d == dtype::f64 || d == dtype::c128 ? dtype::c128 : dtype::c64; }

namespace detail {

// At namespace scope: each call in constant evaluation would rebuild a local table, in hundreds of steps.
inline constexpr int element_bytes[dtype_count] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16, 8};
inline constexpr std::string_view short_names[dtype_count] = {"bool", "i8",   "i16", "i32", "i64", "u8",   "u16", "u32",
                                                              "u64",  "f16",  "bf16", "f32", "f64", "c64", "c128", "key<fry>"};
inline constexpr std::string_view long_names[dtype_count] = {"bool",    "int8",      "int16",      "int32",   "int64",    "uint8",
                                                             "uint16",  "uint32",    "uint64",     "float16", "bfloat16", "float32",
                                                             "float64", "complex64", "complex128", "key<fry>"};

}  // namespace detail

constexpr int size_of(dtype d) { return detail::element_bytes[static_cast<int>(d)]; }
// As in jaxprs: f32.
constexpr std::string_view short_name(dtype d) { return detail::short_names[static_cast<int>(d)]; }
// As in NumPy: float32.
constexpr std::string_view long_name(dtype d) { return detail::long_names[static_cast<int>(d)]; }

}  // namespace exprax
