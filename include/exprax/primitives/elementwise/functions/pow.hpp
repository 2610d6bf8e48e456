// SPDX-License-Identifier: BSL-1.0
// pow (jax.lax.pow): x to the power y, as exp2(y log2 |x|) with the sign and the special values of C99 Annex F. The logarithm is a sum of
// two numbers (Dekker, 1971), which gives enough extra bits. Error below 1 ULP; for floats near the ends of the range below 2.4.
#pragma once

#include <exprax/math/sums_of_two.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::pow> : detail::binary_inexact<prim::pow> {
  static constexpr prim_traits traits = binary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "pow";
  static constexpr std::string_view stablehlo = "power";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V y) {
    using T = typename V::value_type;
    using limits = std::numeric_limits<T>;
    V const zero(T(0));
    V const size = abs(x);
    detail::pair<V> const log2_x = detail::log2_pair(size);
    V power = y * log2_x.high;
    // A short path if all lanes are ordinary.
    bool const plain = all((x > zero) & (x <= V(limits::max())) & (abs(power) < V(detail::is_single<V> ? T(125) : T(1020))));
    V exponent = y;
    if (!plain) {
      // Larger exponents give the same results.
      exponent = detail::is_single<V> ? bounded(y, T(-0x1p40), T(0x1p40)) : bounded(y, T(-0x1p70), T(0x1p70));
      power = exponent * log2_x.high;
    }
    V lost = mul_add(exponent, log2_x.low, product_error(exponent, log2_x.high, power));
    if (!plain) {
      V const inside = detail::is_single<V> ? bounded(power, T(-200), T(200)) : bounded(power, T(-1100), T(1100));
      lost = select(inside == power, lost, zero);
      power = inside;
    }
    V const magic(simd::detail::float_format<T>::round_magic);
    V const sum = power + magic;
    V const n = sum - magic;
    V const significand = detail::exp2_of_rest((power - n) + lost);
    if (plain) return simd::detail::scale_by_sum(significand, sum);
    return with_special(x, y, scale(significand, n));
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int k, int t) {
    int const x = c.in(e, 0), y = c.in(e, 1);
    if (k == 0) return c.mul(t, c.mul(y, c.elementwise(prim::pow, x, c.sub(y, c.number_like(y, 1)))));
    return c.mul(t, c.mul(c.elementwise(prim::log, c.replace_zeros(x)), c.out(e)));
  }

 private:
  // r = |x|^y with the sign and the special values.
  template <class V>
  EXPRAX_INLINE static constexpr V with_special(V x, V y, V r) {
    using T = typename V::value_type;
    using limits = std::numeric_limits<T>;
    V const zero(T(0));
    V const one(T(1));
    V const infinite(limits::infinity());
    V const size = abs(x);
    // |x| is 0 or infinite.
    auto const vanishing = size == zero;
    r = select(vanishing | (size == infinite), select(vanishing ^ (y > zero), infinite, zero), r);
    // The sign: odd y keeps it. Beyond 2^digits all floats are even integers, and y/2 is an integer.
    V const half = y * V(T(0.5));
    auto const whole = trunc(y) == y;
    auto const odd = whole & (trunc(half) != half);
    r = select(odd, copysign(r, x), r);
    auto const unknown = isnan(x) | isnan(y) | ((x < zero) & (size < infinite) & ~whole);
    r = select(unknown, V(limits::quiet_NaN()), r);
    return select((y == zero) | (x == one), one, r);
  }
};

}  // namespace exprax
