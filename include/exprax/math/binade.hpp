// SPDX-License-Identifier: BSL-1.0
// Powers of two over the lane concept: a float split into significand and exponent, and put together again. Kernels call scale, split and
// bounded on their lanes or packs; these are the forms for targets without an instruction.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <exprax/base/config.hpp>

namespace exprax::simd {

// x = significand * 2^exponent, significand in [0.75, 1.5), exponent an integer.
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
  // Added to a small number, leaves the nearest integer in the low bits of the sum.
  static constexpr T round_magic = sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52);
  static constexpr integer round_magic_bits = sizeof(T) == 4 ? static_cast<integer>(0x4b400000) : static_cast<integer>(0x4338000000000000);
};

// 2^n for integer n with |n| below twice the bias, in the low bits of n + magic: the product of two powers.
template <class V>
struct power_in_halves {
  // With the bias of both exponents.
  static constexpr typename V::value_type magic =
      float_format<typename V::value_type>::round_magic + 2 * float_format<typename V::value_type>::bias;
  V first, second;

  EXPRAX_INLINE explicit constexpr power_in_halves(V sum) {
    using T = typename V::value_type;
    using F = float_format<T>;
    using I = std::make_unsigned_t<typename F::integer>;
    // The bits of both halves of round_magic end in zeros, which are what the shifts keep of them.
    auto const whole = bitcast<I>(sum), half = whole >> 1;
    first = bitcast<T>(half << F::fraction_bits);
    second = bitcast<T>((whole - half) << F::fraction_bits);
  }
};
// x * 2^n, rounded once.
template <class V>
EXPRAX_INLINE constexpr V scale_by_integers(V x, V n) {
  power_in_halves<V> const power(n + V(power_in_halves<V>::magic));
  return x * power.first * power.second;
}

// x * 2^n for integer n, a normal x and a normal result, with n in the low bits of a magic sum.
template <class V>
EXPRAX_INLINE constexpr V scale_by_sum(V x, V sum) {
  using T = typename V::value_type;
  using F = float_format<T>;
  using I = std::make_unsigned_t<typename F::integer>;
  return bitcast<T>(bitcast<I>(x) + (bitcast<I>(sum) << F::fraction_bits));
}

// A number split in two: bits of significand and exponent, as split has them.
template <class V>
struct raw_binade {
  using T = typename V::value_type;
  using F = float_format<T>;
  using I = std::make_unsigned_t<typename F::integer>;
  using W = typename V::template rebind<I>;
  static constexpr I fraction = static_cast<I>((I(1) << F::fraction_bits) - 1);
  static constexpr I three_quarters = sizeof(T) == 4 ? static_cast<I>(0x3f400000) : static_cast<I>(0x3fe8000000000000);
  W bits;  // bits of x minus bits of 3/4

  EXPRAX_INLINE explicit constexpr raw_binade(V x) : bits(bitcast<I>(x) - W(three_quarters)) {}
  EXPRAX_INLINE constexpr V significand() const { return bitcast<T>((bits & W(fraction)) + W(three_quarters)); }
  EXPRAX_INLINE constexpr V exponent() const {
    constexpr I above = I(1) << (8 * static_cast<int>(sizeof(T)) - 2);  // keeps the exponent above 0: a signed shift may be missing
    constexpr T lowest = F::round_magic + T(above >> F::fraction_bits);
    return bitcast<T>(((bits + W(above)) >> F::fraction_bits) + W(static_cast<I>(F::round_magic_bits))) - V(lowest);
  }
  // 2^-exponent, if that is normal.
  EXPRAX_INLINE constexpr V inverse_power() const {
    return bitcast<T>(W(static_cast<I>(I(F::bias) << F::fraction_bits)) - (bits & W(static_cast<I>(~fraction))));
  }
};

// For finite x > 0; other inputs give unspecified results.
template <class V>
EXPRAX_INLINE constexpr binade<V> split_by_integers(V x) {
  using T = typename V::value_type;
  using F = float_format<T>;
  constexpr int lift = F::fraction_bits + 1;
  constexpr T up = T(std::int64_t{1} << lift);
  auto const tiny = x < V(std::numeric_limits<T>::min());
  bool const lifted = any(tiny);
  if (lifted) x = select(tiny, x * V(up), x);
  raw_binade<V> const raw(x);
  V exponent = raw.exponent();
  if (lifted) exponent = exponent - select(tiny, V(T(lift)), V(T(0)));
  return {raw.significand(), exponent};
}

}  // namespace detail

// split for positive normal numbers; other inputs give unspecified results.
template <class V>
EXPRAX_INLINE constexpr binade<V> split_normal(V x) {
  if constexpr (V::has_scale) {
    return split(x);
  } else {
    detail::raw_binade<V> const raw(x);
    return {raw.significand(), raw.exponent()};
  }
}

}  // namespace exprax::simd
