// SPDX-License-Identifier: BSL-1.0
// Sums of two numbers, the second below the rounding error of the first (Dekker, 1971), and the logarithm of base 2 as one: what pow and
// tgamma of doubles share.
#pragma once

#include <exprax/primitives/elementary.hpp>

namespace exprax::detail {

template <class V>
struct pair {
  V high;
  V low;
};
// For |a| >= |b|, or a = 0.
template <class V>
EXPRAX_INLINE constexpr pair<V> ordered_sum(V a, V b) {
  V const s = a + b;
  return {s, b - (s - a)};
}
template <class V>
EXPRAX_INLINE constexpr pair<V> product(pair<V> a, pair<V> b) {
  V const p = a.high * b.high;
  return {p, fma(a.high, b.high, -p) + fma(a.high, b.low, a.low * b.high)};
}

// log2(x) for finite x > 0, doubles.
template <class V>
EXPRAX_INLINE constexpr pair<V> log2_pair(V x) {
  using C = exp_constants<double>;
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
  return log2_x;
}

// 2^(w.high + w.low), for |w.high| below 1100.
template <class V>
struct power_of_two {
  V significand;
  V exponent;
};
template <class V>
EXPRAX_INLINE constexpr power_of_two<V> exp2_of(V high, V low) {
  V const magic(simd::detail::float_format<double>::round_magic);
  V const n = (high + magic) - magic;
  return {V(1.0) + expm1_of_rest(((high - n) + low) * V(exp_constants<double>::ln2_high)), n};
}

}  // namespace exprax::detail
