// SPDX-License-Identifier: BSL-1.0
// Quotients and remainders of packs of integers, which no instruction computes. They truncate; x / 0 has all bits set and x % 0 is x;
// min / -1 is min.
#pragma once

#include <exprax/emit/simd/pack_convert.hpp>
#include <exprax/emit/simd/pack_mask.hpp>

#if EXPRAX_SIMD

namespace exprax::simd {

namespace detail {

// Integers of up to 32 bits, by floats of twice their size. x / y is at least 1 / y below the next integer: relative to x / y by 1 / x,
// far more than the errors of a reciprocal that is rounded away from 0 and of the product. So the product, truncated, is the quotient.
// Where y is the same in every iteration of a loop, compilers compute the reciprocal before the loop.
template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> quotient_by_floats(basic_pack<T, L> x, basic_pack<T, L> y) {
  using F = std::conditional_t<sizeof(T) <= 2, float, double>;
  using P = basic_pack<T, L>;
  constexpr bool may_overflow = std::is_signed_v<T> && sizeof(T) == 4;  // min / -1
  auto const by_zero = y == P(T(0));
  auto odd = by_zero;
  if constexpr (may_overflow) odd = by_zero | (y == P(T(-1)));
  auto const nearest = basic_pack<F, L>(F(1)) / convert_plain<F>(select(odd, P(T(1)), y));
  auto const reciprocal = bitcast<F>(bitcast<bits_of<F>>(nearest) + basic_pack<bits_of<F>, L>(1));
  auto const product = factor(convert_plain<F>(x), reciprocal);
  P quotient;
  if constexpr (sizeof(T) <= 2) quotient = convert_plain<T>(convert_plain<std::int32_t>(product));
  else quotient = convert_plain<T>(product);
  if constexpr (may_overflow) quotient = select(odd, -x, quotient);
  return select(by_zero, P(static_cast<T>(-1)), quotient);
}

// By compiler vectors, which multiply if they know y.
template <bool Remainder, class T, int L>
EXPRAX_INLINE basic_pack<T, L> divided(basic_pack<T, L> x, basic_pack<T, L> y) {
  using reg = typename layout<T, L>::reg;
  using words = vec<bits_of<T>, layout<T, L>::bytes>;
  return each_register<basic_pack<T, L>>(
      [](auto a, auto b) EXPRAX_LAMBDA_INLINE {
        auto const by_zero = b == reg{};
        auto odd = by_zero;
        if constexpr (std::is_signed_v<T>) odd |= b == reg{} - T(1);
        reg const safe = odd ? reg{} + T(1) : b;
        if constexpr (Remainder) return by_zero ? a : a % safe;
        else if constexpr (std::is_signed_v<T>) return by_zero ? (reg)~words{} : odd ? (reg)(words{} - (words)a) : a / safe;
        else return by_zero ? ~words{} : a / safe;
      },
      x, y);
}

// g++ knows no quotients of bytes by a number: integers of 2 bytes divide them.
template <class T>
#if defined(__clang__)
inline constexpr bool divides_twice_as_long = false;
#else
inline constexpr bool divides_twice_as_long = sizeof(T) == 1;
#endif

template <bool Remainder, class T, int L>
EXPRAX_INLINE basic_pack<T, L> quotient_or_remainder(basic_pack<T, L> x, basic_pack<T, L> y) {
  if constexpr (divides_twice_as_long<T>) {
    using U = typename integer_of_size<2, std::is_signed_v<T>>::type;
    if (is_one_number(y.reg))
      return convert_plain<T>(divided<Remainder>(convert_plain<U>(x), basic_pack<U, L>(U(y.reg[0][0]))));
  }
  if constexpr (sizeof(T) <= 4) {
    if (divides_twice_as_long<T> || !__builtin_constant_p(y.reg[0][0])) {
      auto const quotient = quotient_by_floats(x, y);
      return Remainder ? x - quotient * y : quotient;
    }
  }
  return divided<Remainder>(x, y);
}

}  // namespace detail

template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> operator/(basic_pack<T, L> x, basic_pack<T, L> y)
  requires std::is_integral_v<T>
{
  return detail::quotient_or_remainder<false>(x, y);
}
template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> operator%(basic_pack<T, L> x, basic_pack<T, L> y)
  requires std::is_integral_v<T>
{
  return detail::quotient_or_remainder<true>(x, y);
}

}  // namespace exprax::simd

#endif
