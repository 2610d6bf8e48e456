// SPDX-License-Identifier: BSL-1.0
// pow (jax.lax.pow): x to the power y, as exp2(y log2 |x|) with the sign and the special values of C99 Annex F. The logarithm has
// enough more bits than the result: double arithmetic for float, pairs of doubles (Dekker, 1971) for double. Error below 0.6 ULP
// for float and 1.3 for double.
#pragma once

#include <exprax/primitives/elementary.hpp>

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

  // A sum of two numbers, the second below the rounding error of the first.
  template <class V>
  struct pair {
    V high;
    V low;
  };
  // For |a| >= |b|, or a = 0.
  template <class V>
  EXPRAX_INLINE static constexpr pair<V> ordered_sum(V a, V b) {
    V const s = a + b;
    return {s, b - (s - a)};
  }
  template <class V>
  EXPRAX_INLINE static constexpr pair<V> product(pair<V> a, pair<V> b) {
    V const p = a.high * b.high;
    return {p, fma(a.high, b.high, -p) + fma(a.high, b.low, a.low * b.high)};
  }

  template <class V>
  EXPRAX_INLINE static constexpr V in_pairs(V x, V y) {
    using C = detail::exp_constants<double>;
    auto const [m, e] = split(x);
    // s = (m - 1) / (m + 1), log(m) = 2 atanh(s) = 2 s + s^3 (2/3 + z p(z)), z = s^2.
    V const one(1.0);
    V const f = m - one;
    pair<V> const d = ordered_sum(one, m);  // exact: m is in [0.75, 1.5)
    V const q = f / d.high;
    pair<V> const s{q, fma(-q, d.low, fma(-q, d.high, f)) / d.high};
    pair<V> const z = product(s, s);
    V const p = detail::polynomial(z.high, 0x1.da1a3628dce71p-4, 0x1.a751d1c4087adp-4, 0x1.e248557c0eafbp-4, 0x1.110f7c3b9d539p-3, 0x1.3b13b9016dba6p-3,
                                   0x1.745d172e637f9p-3, 0x1.c71c71c7452d1p-3, 0x1.2492492492376p-2, 0x1.999999999999ap-2);
    pair<V> c = ordered_sum(V(0x1.5555555555555p-1), z.high * p);
    c.low = c.low + fma(z.low, p, V(0x1.5555555555555p-55));
    pair<V> const cubic = product(product(s, z), c);
    pair<V> log_m = ordered_sum(s.high + s.high, cubic.high);
    log_m.low = log_m.low + (s.low + s.low + cubic.low);
    pair<V> const log2_m = product(log_m, {V(C::log2_e), V(0x1.777d0ffda0d24p-56)});
    pair<V> log2_x = ordered_sum(e, log2_m.high);
    log2_x.low = log2_x.low + log2_m.low;
    // Exponents beyond 2^70 do not differ in what they give.
    V const exponent = bounded(y, -0x1p70, 0x1p70);
    pair<V> const w = product(log2_x, {exponent, V(0.0)});
    V const inside = bounded(w.high, -1100.0, 1100.0);
    V const rest = select(inside == w.high, w.low, V(0.0));
    V const magic(simd::detail::float_format<double>::round_magic);
    V const n = (inside + magic) - magic;
    V const r = ((inside - n) + rest) * V(C::ln2_high);
    return scale(one + detail::expm1_of_rest(r), n);
  }
};

}  // namespace exprax
