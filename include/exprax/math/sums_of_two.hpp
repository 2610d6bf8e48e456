// SPDX-License-Identifier: BSL-1.0
// Sums of two numbers, the second below the rounding error of the first (Dekker, 1971), and the base-2 logarithm as such a sum: shared by
// pow and tgamma.
#pragma once

#include <exprax/math/exponential.hpp>

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
  return {p, product_error(a.high, b.high, p) + mul_add(a.high, b.low, a.low * b.high)};
}

// log2(x) for finite x > 0, with about 8 more bits than a float has, 11 more than a double.
template <class V>
EXPRAX_INLINE constexpr pair<V> log2_pair(V x) {
  using T = typename V::value_type;
  auto const [m, e] = split(x);
  V const one(T(1));
  // p + lost = c m is near 1 and log2(x) = base + log2(c m): for floats c = 1, for doubles one of four constants.
  V p = m;
  V lost(T(0));
  pair<V> base{e, V(T(0))};
  if constexpr (!is_single<V>) {
    auto const second = m > V(0.91766), third = m > V(1.08866), fourth = m > V(1.2983);
    V const c = select(third, select(fourth, V(0.703125), V(0.84375)), select(second, one, V(1.1875)));
    p = m * c;
    lost = product_error(m, c, p);
    base.high = e + select(third, select(fourth, V(0x1.042bd4b9a8p-1), V(0x1.f5fd8a906p-3)), select(second, V(0.0), V(-0x1.fbc16b9028p-3)));
    base.low = select(third, select(fourth, V(-0x1.b3b3864c60011p-44), V(0x1.f1a4847f7b278p-42)),
                      select(second, V(0.0), V(0x1.7f5dc57266758p-43)));
  }
  // s = (c m - 1) / (c m + 1), log2(c m) = 2 atanh(s) / ln 2 = C s + s^3 q(s^2).
  V const f = p - one;
  V const d = p + one;
  V const rest = (p - (d - one)) + lost;
  V const inverse = one / d;
  V const s = f * inverse;
  V const s_low = (residual(s, d, f) + mul_add(-s, rest, lost)) * inverse;
  V const z = s * s;
  if constexpr (is_single<V>) {
    V const q = polynomial(z, 0x1.5d0b16p-2f, 0x1.a5a564p-2f, 0x1.277708p-1f, 0x1.ec709ep-1f);
    V const high = s * V(0x1.715476p1f);
    V const part = mul_add(s, V(0x1.4ae0cp-25f), product_error(s, V(0x1.715476p1f), high));
    V const low = mul_add(s * z, q, mul_add(mul_add(s_low, z, s_low), V(0x1.715476p1f), part));
    V const sum = base.high + high;
    return ordered_sum(sum, (high - (sum - base.high)) + low);
  } else {
    V const q = polynomial(z, 0x1.dfc6f52b64107p-3, 0x1.0c7f31bc86f99p-2, 0x1.484b2acb09774p-2, 0x1.a617629f19678p-2, 0x1.2776c50efa68bp-1,
                           0x1.ec709dc3a03fdp-1);
    V const high = s * V(0x1.71547652b82fep1);
    V const part = mul_add(s, V(0x1.777d0ffda0d24p-55), product_error(s, V(0x1.71547652b82fep1), high));
    V const low = mul_add(s * z, q, mul_add(mul_add(s_low, z, s_low), V(0x1.71547652b82fep1), part));
    V const sum = base.high + high;
    return ordered_sum(sum, (high - (sum - base.high)) + (low + base.low));
  }
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
  return {V(1.0) + expm1_of_rest(((high - n) + low) * V(exp_constants<double>::ln2)), n};
}

}  // namespace exprax::detail
