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
};

}  // namespace exprax
