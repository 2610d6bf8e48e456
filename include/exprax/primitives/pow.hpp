// SPDX-License-Identifier: BSL-1.0
// pow (jax.lax.pow): x to the power y, as exp2(y log2 |x|) with the sign and the special values of C99 Annex F. The logarithm has
// enough more bits than the result: double arithmetic for float, pairs of doubles (Dekker, 1971) for double. Error below 0.6 ULP
// for float and 1.3 for double.
#pragma once

#include <exprax/primitives/pairs.hpp>

namespace exprax {

template <>
struct primitive<prim::pow> : detail::binary_inexact<prim::pow> {
  static constexpr std::string_view name = "pow";
  static constexpr std::string_view stablehlo = "power";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V y) {
    using T = typename V::value_type;
    using limits = std::numeric_limits<T>;
    V const zero(T(0));
    V const one(T(1));
    V const infinite(limits::infinity());
    V const size = abs(x);
    V r = magnitude(size, y);
    // |x| of 0 and infinity.
    auto const vanishing = size == zero;
    r = select(vanishing | (size == infinite), select(vanishing ^ (y > zero), infinite, zero), r);
    // The sign: odd y keeps it. Beyond 2^digits all numbers are even, and y/2 is whole.
    V const half = y * V(T(0.5));
    auto const whole = trunc(y) == y;
    auto const odd = whole & (trunc(half) != half);
    r = select(odd, copysign(r, x), r);
    auto const unknown = isnan(x) | isnan(y) | ((x < zero) & (size < infinite) & ~whole);
    r = select(unknown, V(limits::quiet_NaN()), r);
    return select((y == zero) | (x == one), one, r);
  }

 private:
  // x^y for finite x > 0.
  template <class V>
  EXPRAX_INLINE static constexpr V magnitude(V x, V y) {
    if constexpr (detail::is_single<V>) return in_double(x, y);
    else return in_pairs(x, y);
  }

  template <class V>
  EXPRAX_INLINE static constexpr V in_double(V x, V y) {
    using D = typename V::template rebind<double>;
    using C = detail::exp_constants<double>;
    auto const [m, e] = split(convert<double>(x));
    D const f = m - D(1.0);
    D const s = f / (D(2.0) + f);
    D const z = s * s;
    D const p = detail::polynomial(z, 0x1.9c2fc47155ffap-3, 0x1.c5520b9dfa2f4p-3, 0x1.2496e9cab0ec4p-2, 0x1.99998f353b9b3p-2, 0x1.555555591ce8p-1);
    D const log_m = fma(s * z, p, s + s);
    D const log2_x = fma(log_m, D(C::log2_e), e);
    D const w = bounded(convert<double>(bounded(y, -0x1p60f, 0x1p60f)) * log2_x, -400.0, 400.0);
    D const magic(simd::detail::float_format<double>::round_magic);
    D const n = (w + magic) - magic;
    D const r = (w - n) * D(C::ln2_high);
    D const q = detail::polynomial(r, 0x1.a1b71e2b49551p-13, 0x1.6d94d273d5a82p-10, 0x1.11107db2422d5p-7, 0x1.555482cb76218p-5, 0x1.555555976002bp-3,
                                   0x1.00000041442afp-1);
    return convert<float>(scale(D(1.0) + fma(r * r, q, r), n));
  }

  template <class V>
  EXPRAX_INLINE static constexpr V in_pairs(V x, V y) {
    detail::pair<V> const log2_x = detail::log2_pair(x);
    // Exponents beyond 2^70 do not differ in what they give.
    V const exponent = bounded(y, -0x1p70, 0x1p70);
    detail::pair<V> const w = detail::product(log2_x, {exponent, V(0.0)});
    V const inside = bounded(w.high, -1100.0, 1100.0);
    V const rest = select(inside == w.high, w.low, V(0.0));
    auto const made = detail::exp2_of(inside, rest);
    return scale(made.significand, made.exponent);
  }
};

}  // namespace exprax
