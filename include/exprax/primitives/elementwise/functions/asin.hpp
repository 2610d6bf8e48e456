// SPDX-License-Identifier: BSL-1.0
// asin (jax.lax.asin): the arc sine, from 1/2 on by asin(x) = pi/2 - 2 asin(sqrt((1 - x)/2)); NaN beyond 1. Error below 1.5 ULP.
#pragma once

#include <exprax/math/arcs.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::asin> : detail::unary_inexact<prim::asin> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "asin";
  static constexpr std::string_view stablehlo = "chlo.asin";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using C = detail::pi_parts<T>;
    V const half(T(0.5));
    V const size = abs(x);
    auto const large = size > half;
    V const z = select(large, mul_add(size, -half, half), size * size);
    V const s = select(large, sqrt(z), size);
    V const rest = (s * z) * detail::asin_tail(z);
    // Part of pi/2 is moved to the smaller sum, so that the larger one is below 1 where the result is.
    constexpr T part = T(0.25), high = C::high * T(0.5) - part, low = C::low * T(0.5) + part;
    V const r = mul_add(V(T(-2)), s, V(high)) + mul_add(V(T(-2)), rest, V(low));
    return copysign(select(large, r, s + rest), x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    return c.mul(t, c.elementwise(prim::rsqrt, c.sub(c.number_like(x, 1), c.square(x))));
  }
};

}  // namespace exprax
