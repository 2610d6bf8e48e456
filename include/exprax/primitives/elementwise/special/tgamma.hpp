// SPDX-License-Identifier: BSL-1.0
// tgamma: the gamma function (jax.scipy.special.gamma, there sign(x) exp(lgamma(x)), which loses as many bits as the integer part of
// lgamma(x) has). Floats in double arithmetic; doubles by a polynomial below 8, above by Stirling's series with a logarithm of extra
// precision. Below 0 by reflection; NaN at the negative integers. Error below 4 ULP.
#pragma once

#include <exprax/math/gamma.hpp>
#include <exprax/math/sums_of_two.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::tgamma> : detail::unary_float<prim::tgamma> {
  static constexpr prim_traits traits = unary_float::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "tgamma";
  // As in jax.scipy.special.gamma: 1/x at 0, for the sign.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    aval const& t = e.out_type(0);
    int const x = l.in(e, 0), zero = l.full(t, 0), one = l.full(t, 1), floor = l.like("floor", x);
    int const half = l.like("divide", floor, l.full(t, 2)), odd = l.compare("NE", half, l.like("floor", half));
    int const sign = l.select(l.like("and", l.compare("LT", x, zero), odd), l.full(t, -1), one);
    int const whole = l.like("and", l.compare("LT", x, zero), l.compare("EQ", x, floor));
    int const size = l.like("multiply", sign, l.like("exponential", l.like("chlo.lgamma", x)));
    int const known = l.select(l.compare("EQ", x, zero), l.like("divide", one, x), size);
    l.set(e, 0, l.select(whole, l.like("divide", zero, zero), known));
  }
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    if constexpr (detail::is_single<V>) return convert<T>(of_double(convert<double>(x)));
    else return of_double(x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    return c.mul(t, c.mul(c.out(e), c.elementwise(prim::digamma, c.in(e, 0))));
  }

 private:
  template <class V>
  EXPRAX_INLINE static constexpr V of_double(V x) {
    using detail::long_polynomial;
    using detail::polynomial;
    using limits = std::numeric_limits<double>;
    using C = detail::pi_parts<double>;
    V const one(1.0);
    V const zero(0.0);
    V const size = bounded(abs(x), 0.0, 200.0);
    // size = n + t: gamma(2 + t), multiplied or divided by the factors between.
    V const n = round_even(bounded(size, 0.0, 8.0));
    auto const far = size >= V(8.0);
    // The product of the factors as a pair.
    V factors = one;
    V lost = zero;
    for (int j = 1; j <= detail::largest_shift; ++j) {
      V const factor = select(n >= V(j + 2.0), size - V(1.0 * j), one);
      V const next = factors * factor;
      lost = mul_add(lost, factor, product_error(factors, factor, next));
      factors = next;
    }
    V const below = select(n < one, mul_add(size, size, size), select(n < V(2.0), size, one));
    V const t = size - n;
    V p;
    p = long_polynomial(t, -0x1.607cdc66fc45bp-20, 0x1.60719ffb53cb2p-19, -0x1.e472c38c79d24p-19, 0x1.e4493add6e9ep-18,
                        -0x1.00a11030605acp-16, 0x1.007e03354bf19p-15, -0x1.fddfed1c8199bp-15, 0x1.fe3e7148c5ff1p-14,
                        -0x1.f94b1c3d6053ep-13, 0x1.011b279719403p-11, -0x1.e21f19a7b3331p-11, 0x1.13c4485aa4efbp-9, -0x1.75e6e90ba3cefp-9,
                        0x1.6d7eeacd72a91p-7, -0x1.17f3740ec72ap-12, 0x1.301fbb0f23723p-4, 0x1.4e2399846508ap-4, 0x1.a5b978b96bedp-2,
                        0x1.b0ee6072093cep-2, 0x1p+0);
    V significand = product_with_rest(p, factors, p * lost) / below;
    V exponent = zero;
    if (any(far)) {
      // (x - 1/2) log2(x) - x log2(e) + log2(sqrt(2 pi)) + s(x) log2(e)
      detail::pair<V> const power = detail::product(detail::log2_pair(select(far, size, V(8.0))), {size - V(0.5), zero});
      detail::pair<V> const decay = detail::product(detail::pair<V>{size, zero}, {V(0x1.71547652b82fep+0), V(0x1.777d0ffda0d24p-56)});
      V const inverse = one / size;
      V const w = inverse * inverse;
      V s;
      s = polynomial(w, -0x1.b1382377d788ap-10, 0x1.b6fa4852c5f7p-11, -0x1.380ebd7243e93p-11, 0x1.a019fd3406f01p-11, -0x1.6c16c16bb630dp-9,
                        0x1.5555555555553p-4);
      detail::pair<V> const difference = detail::ordered_sum(power.high, -decay.high);
      detail::pair<V> const sum = detail::ordered_sum(difference.high, V(0x1.536439a4c6efcp+0));
      V const low = (power.low - decay.low) + (difference.low + sum.low);
      V const rest = mul_add(inverse * s, V(0x1.71547652b82fep+0), low + V(-0x1.49e49a361efebp-54));
      auto const made = detail::exp2_of(sum.high, rest);
      significand = select(far, made.significand, significand);
      exponent = select(far, made.exponent, exponent);
    }
    auto const negative = x < zero;
    if (any(negative)) {
      V const whole_turns = round_even(abs(x));
      V const fraction = abs(x) - whole_turns;
      auto const turns = detail::half_turns_of(abs(fraction));
      // The sign of sin(pi x): that of the fraction, and of the number of half turns.
      V const whole = whole_turns * V(0.5);
      V const sine = copysign(turns.sine(), fraction);
      V const signed_sine = select(whole == trunc(whole), sine, -sine);
      V const reflected = V(-C::high) / (signed_sine * (size * significand));
      significand = select(negative, reflected, significand);
      exponent = select(negative, -exponent, exponent);
    }
    V r = scale(significand, exponent);
    r = select(size < V(0x1p-60), one / x, r);
    auto const pole = negative & (floor(x) == x);
    r = select(pole | isnan(x), V(limits::quiet_NaN()), r);
    return select(x > V(172.0), V(limits::infinity()), r);
  }
};

}  // namespace exprax
