// SPDX-License-Identifier: BSL-1.0
// tan (jax.lax.tan): the tangent of x radians: a polynomial in the reduced angle t, or its negative reciprocal. Error below 1.9 ULP for
// every x; NaN for infinite x, tan(-0) = -0.
#pragma once

#include <exprax/math/trigonometric.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::tan> : detail::unary_inexact<prim::tan> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "tan";
  static constexpr std::string_view stablehlo = "tan";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return detail::tan_of(x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const y = c.out(e);
    return c.mul(t, c.add(c.number_like(y, 1), c.square(y)));
  }
};

}  // namespace exprax
