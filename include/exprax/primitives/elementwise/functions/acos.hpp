// SPDX-License-Identifier: BSL-1.0
// acos (jax.lax.acos): the arc cosine, from 1/2 on by acos(x) = 2 asin(sqrt((1 - x)/2)); NaN beyond 1. Error below 1.2 ULP.
#pragma once

#include <exprax/math/arcs.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::acos> : detail::unary_inexact<prim::acos> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "acos";
  static constexpr std::string_view stablehlo = "chlo.acos";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using C = detail::pi_parts<T>;
    V const zero(T(0));
    V const half(T(0.5));
    V const size = abs(x);
    auto const large = size > half;
    auto const negative = x < zero;
    V const z = select(large, mul_add(size, -half, half), size * size);
    V const s = sqrt(z);
    // pi/2 - x, 2 s, or pi - 2 s
    V const y = select(large, select(negative, -(s + s), s + s), -x);
    V const high = select(large, select(negative, V(C::high), zero), V(C::high * T(0.5)));
    V const low = select(large, select(negative, V(C::low), zero), V(C::low * T(0.5)));
    return detail::sum_with_rest(high, y, mul_add(y * z, detail::asin_tail(z), low));
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    return c.mul(t, c.neg(c.elementwise(prim::rsqrt, c.sub(c.number_like(x, 1), c.square(x)))));
  }
};

}  // namespace exprax
