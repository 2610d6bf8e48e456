// SPDX-License-Identifier: BSL-1.0
// The limits of dtypes (jax.numpy.finfo, iinfo), of constants:
//
//   static_assert(ex::finfo(ex::float32).max == FLT_MAX && ex::iinfo(ex::int8).min == -128);
#pragma once

#include <cstdint>
#include <type_traits>

#include <exprax/types/array.hpp>
#include <exprax/types/dtype_object.hpp>

namespace exprax {

namespace detail {

// IEEE's binary formats, and bfloat16: fraction bits, exponent bits.
constexpr int fraction_bits_of(dtype d) { return d == dtype::f64 ? 52 : d == dtype::f32 ? 23 : d == dtype::f16 ? 10 : 7; }
constexpr int exponent_bits_of(dtype d) { return d == dtype::f64 ? 11 : d == dtype::f16 ? 5 : 8; }
constexpr double power_of_2(int n) {
  double x = 1;
  for (; n > 0; --n) x *= 2;
  for (; n < 0; ++n) x /= 2;
  return x;
}
constexpr double power_of_10(int n) {
  double x = 1;
  for (; n > 0; --n) x *= 10;
  return x;
}
template <class T>
using integer_limit_t = std::conditional_t<is_signed_integer(dtype_of<T>), std::int64_t, std::uint64_t>;

}  // namespace detail

// T: a floating dtype. Values are arrays of rank 0 and dtype T, sizes of the format are ints. Names are NumPy's.
template <class T>
struct finfo_t {
  static constexpr int bits = 8 * size_of(dtype_of<T>);
  static constexpr int nmant = detail::fraction_bits_of(dtype_of<T>), nexp = detail::exponent_bits_of(dtype_of<T>), iexp = nexp;
  static constexpr int machep = -nmant, negep = -nmant - 1;
  static constexpr int maxexp = 1 << (nexp - 1), minexp = 2 - maxexp;
  static constexpr int precision = nmant * 30103 / 100000;  // decimal digits: log10 2 for each bit
  static constexpr array<T> eps{T(detail::power_of_2(machep))}, epsneg{T(detail::power_of_2(negep))};
  static constexpr array<T> max{T((2 - detail::power_of_2(machep)) * detail::power_of_2(maxexp - 1))};
  static constexpr array<T> min{T((detail::power_of_2(machep) - 2) * detail::power_of_2(maxexp - 1))};
  static constexpr array<T> tiny{T(detail::power_of_2(minexp))}, smallest_normal = tiny;
  static constexpr array<T> smallest_subnormal{T(detail::power_of_2(minexp - nmant))};
  static constexpr array<T> resolution{T(1 / detail::power_of_10(precision))};
  static constexpr dtype_t<T> dtype{};
};
// T: an integer dtype. The limits are C++ numbers of 64 bits, as weak as Python's.
template <class T>
struct iinfo_t {
  static constexpr int bits = 8 * size_of(dtype_of<T>);
  static constexpr detail::integer_limit_t<T> max =
      is_signed_integer(dtype_of<T>) ? static_cast<detail::integer_limit_t<T>>((std::uint64_t{1} << (bits - 1)) - 1)
                                     : static_cast<detail::integer_limit_t<T>>(~std::uint64_t{0} >> (64 - bits));
  static constexpr detail::integer_limit_t<T> min = is_signed_integer(dtype_of<T>) ? -max - 1 : 0;
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
