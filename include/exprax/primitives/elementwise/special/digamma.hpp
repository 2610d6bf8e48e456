// SPDX-License-Identifier: BSL-1.0
// digamma (jax.lax.digamma): the derivative of lgamma; NaN at 0 and the negative integers, as in XLA. Below 0 by reflection. Error below 4
// ULP; below 0, where it has zeros between its poles, in ULP of the terms of the difference.
#pragma once

#include <exprax/math/gamma.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::digamma> : detail::unary_float<prim::digamma> {
  static constexpr prim_traits traits = unary_float::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "digamma";
  static constexpr std::string_view stablehlo = "chlo.digamma";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using limits = std::numeric_limits<T>;
    V const size = abs(x);
    auto const negative = x < V(T(0));
    V r = detail::digamma_of_positive(size, negative);
    if (any(negative)) {
      V const fraction = size - round_even(size);
      V const tangent = copysign(detail::half_turns_of(abs(fraction)).tangent(), fraction);
      // At half-integers the tangent has a pole, which the quotient inside of it cannot represent.
      V const term = select(abs(fraction) == V(T(0.5)), V(T(0)), V(detail::pi_parts<T>::high) / tangent);
      r = select(negative, r + term, r);
    }
    auto const pole = (x <= V(T(0))) & (floor(x) == x);
    r = select(pole, V(limits::quiet_NaN()), r);
    return select(size < V(limits::infinity()), r, select(x > V(T(0)), x, V(limits::quiet_NaN())));
  }
  // polygamma(1, x): ten terms of the sum of 1 / (x + k)^2, and the others by Euler and Maclaurin; below 0 by reflection.
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    auto const number = [&](double v) { return c.real_like(x, v); };
    int const negative = c.elementwise(prim::lt, x, number(0)), from = c.select(negative, x, c.sub(number(1), x));
    auto const inverse_square = [&](int v) { return c.div(number(1), c.square(v)); };
    int sum = inverse_square(from);
    for (int k = 1; k < 10; ++k) sum = c.add(sum, inverse_square(c.add(from, number(k))));
    int const inverse = c.div(number(1), c.add(from, number(10))), square = c.square(inverse);
    int rest = number(5.0 / 66);
    for (double bernoulli : {-1.0 / 30, 1.0 / 42, -1.0 / 30, 1.0 / 6}) rest = c.add(c.mul(rest, square), number(bernoulli));
    rest = c.mul(inverse, c.add(number(1), c.mul(inverse, c.add(number(0.5), c.mul(inverse, rest)))));
    int const positive = c.add(sum, rest);
    int const angle = c.mul(c.sub(x, c.elementwise(prim::floor, x)), number(3.14159265358979323846));
    int const pole = c.mul(number(9.86960440108935861883), inverse_square(c.elementwise(prim::sin, angle)));
    int const reflected = c.sub(pole, positive);
    return c.mul(t, c.select(negative, positive, reflected));
  }
};

}  // namespace exprax
