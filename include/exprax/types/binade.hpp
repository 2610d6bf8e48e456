// SPDX-License-Identifier: BSL-1.0
// Powers of two over the lane concept: a float taken apart into significand and exponent, and put together. Kernels call
// scale, split and bounded on their lanes or packs; these are the forms for which no instruction exists.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <exprax/base/config.hpp>

namespace exprax::simd {

// x = significand * 2^exponent, significand in [0.75, 1.5), exponent a whole number.
template <class V>
struct binade {
  V significand;
  V exponent;
};

namespace detail {

template <class T>
struct float_format {
  using integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  static constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
  static constexpr integer bias = std::numeric_limits<T>::max_exponent - 1;
  // Added to a small number, leaves its nearest whole number in the low bits of the sum.
  static constexpr T round_magic = sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52);
  static constexpr integer round_magic_bits = sizeof(T) == 4 ? static_cast<integer>(0x4b400000) : static_cast<integer>(0x4338000000000000);
};

// x * 2^n, rounded once, for whole n with |n| below twice the bias.
template <class V>
EXPRAX_INLINE constexpr V scale_by_integers(V x, V n) {
  using T = typename V::value_type;
  using F = float_format<T>;
  using I = typename F::integer;
  using W = typename V::template rebind<I>;
  W const whole = bitcast<I>(n + V(F::round_magic)) - W(F::round_magic_bits);
  W const half = whole >> 1;
  V const first = bitcast<T>((half + W(F::bias)) << F::fraction_bits);
  V const second = bitcast<T>((whole - half + W(F::bias)) << F::fraction_bits);
  return x * first * second;
}

// For x > 0 that is finite; others give anything.
template <class V>
EXPRAX_INLINE constexpr binade<V> split_by_integers(V x) {
  using T = typename V::value_type;
  using F = float_format<T>;
  using I = typename F::integer;
  using W = typename V::template rebind<I>;
  constexpr int lift = F::fraction_bits + 1;
  constexpr T up = T(std::int64_t{1} << lift);
  constexpr I three_quarters = sizeof(T) == 4 ? static_cast<I>(0x3f400000) : static_cast<I>(0x3fe8000000000000);
  auto const tiny = x < V(std::numeric_limits<T>::min());
  W const bits = bitcast<I>(select(tiny, x * V(up), x));
  W const exponent = (bits - W(three_quarters)) >> F::fraction_bits;
  V const number = bitcast<T>(exponent + W(F::round_magic_bits)) - V(F::round_magic);
  return {bitcast<T>(bits - (exponent << F::fraction_bits)), number - select(tiny, V(T(lift)), V(T(0)))};
}

}  // namespace detail
}  // namespace exprax::simd
