// SPDX-License-Identifier: BSL-1.0
// The limits of dtypes (jax.numpy.finfo, iinfo), of constants:
//
//   static_assert(ex::finfo(ex::float32).max == FLT_MAX && ex::iinfo(ex::int8).min == -128);
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <exprax/types/array.hpp>
#include <exprax/types/dtype_object.hpp>

namespace exprax {

namespace detail {

// The bits of a float of dtype T as a signed integer, and where its exponent is in them.
template <class T>
struct float_bits {
  static constexpr dtype type = dtype_of<T>;
  using integer = std::conditional_t<size_of(type) == 8, std::int64_t, std::conditional_t<size_of(type) == 4, std::int32_t, std::int16_t>>;
  static constexpr int exponent = type == dtype::f64 ? 11 : type == dtype::f16 ? 5 : 8;
  static constexpr int mantissa = 8 * size_of(type) - 1 - exponent;
  static constexpr int bias = (1 << (exponent - 1)) - 1;
};
template <class T>
constexpr double smallest_normal() {
  double r = 1;
  for (int i = 1; i < float_bits<T>::bias; ++i) r *= 0.5;
  return r;
}
// From 1 to the next larger number.
template <class T>
constexpr double spacing_of_one() {
  return 1.0 / static_cast<double>(std::int64_t{1} << float_bits<T>::mantissa);
}
template <class T>
constexpr double largest_finite() {
  double r = 2 - spacing_of_one<T>();
  for (int i = 0; i < float_bits<T>::bias; ++i) r *= 2;
  return r;
}
constexpr double power_of_10(int n) {
  double x = 1;
  for (; n > 0; --n) x *= 10;
  return x;
}

}  // namespace detail

// T: a floating dtype. Values are arrays of rank 0 and dtype T, sizes of the format are ints. Names are NumPy's.
template <class T>
struct finfo_t {
  static constexpr int bits = 8 * size_of(dtype_of<T>);
  static constexpr int nmant = detail::float_bits<T>::mantissa, nexp = detail::float_bits<T>::exponent, iexp = nexp;
  static constexpr int machep = -nmant, negep = -nmant - 1;
  static constexpr int maxexp = detail::float_bits<T>::bias + 1, minexp = 2 - maxexp;
  static constexpr int precision = nmant * 30103 / 100000;  // decimal digits: log10 2 for each bit
  static constexpr array<T> eps{T(detail::spacing_of_one<T>())}, epsneg{T(detail::spacing_of_one<T>() / 2)};
  static constexpr array<T> max{T(detail::largest_finite<T>())}, min{T(-detail::largest_finite<T>())};
  static constexpr array<T> tiny{T(detail::smallest_normal<T>())}, smallest_normal = tiny;
  static constexpr array<T> smallest_subnormal{T(detail::smallest_normal<T>() * detail::spacing_of_one<T>())};
  static constexpr array<T> resolution{T(1 / detail::power_of_10(precision))};
  static constexpr dtype_t<T> dtype{};
};
// T: an integer dtype. The limits are C++ numbers of 64 bits, as weak as Python's.
template <class T>
struct iinfo_t {
  static constexpr int bits = 8 * size_of(dtype_of<T>);
  using number = std::conditional_t<is_signed_integer(dtype_of<T>), std::int64_t, std::uint64_t>;
  static constexpr number max = std::numeric_limits<T>::max(), min = std::numeric_limits<T>::min();
  static constexpr dtype_t<T> dtype{};
};

// finfo(float32), finfo(x.dtype), of a complex dtype that of its parts: eps, max, min, tiny, ... (jax.numpy.finfo). Refused: dtypes that
// are not inexact.
inline constexpr struct finfo_function {
  template <class T>
  constexpr auto operator()(dtype_t<T>) const {
    constexpr dtype d = dtype_of<T>;
    static_assert(is_floating(d) || is_complex(d), "exprax: finfo: of a floating or complex dtype; iinfo tells the limits of integers");
    if constexpr (is_floating(d) || is_complex(d)) return finfo_t<element_t<real_dtype(d)>>{};
  }
} finfo{};
// iinfo(int8), iinfo(x.dtype): max, min, bits (jax.numpy.iinfo). Refused: dtypes that are not integers.
inline constexpr struct iinfo_function {
  template <class T>
  constexpr auto operator()(dtype_t<T>) const {
    static_assert(is_integer(dtype_of<T>), "exprax: iinfo: of an integer dtype; finfo tells the limits of floats");
    if constexpr (is_integer(dtype_of<T>)) return iinfo_t<T>{};
  }
} iinfo{};
// The dtype to which two promote (jax.numpy.promote_types): promote_types(int8, float32) is float32.
inline constexpr struct promote_types_function {
  template <class A, class B>
  constexpr auto operator()(dtype_t<A>, dtype_t<B>) const {
    return dtype_<element_t<promote(promotion{dtype_of<A>, false}, promotion{dtype_of<B>, false}).type>>;
  }
} promote_types{};

}  // namespace exprax
