// SPDX-License-Identifier: BSL-1.0
// sin (jax.lax.sin): the sine of x radians, error below 1.6 ULP for every x; NaN for infinite x, sin(-0) = -0.
#pragma once

#include <exprax/math/trigonometric.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::sin> : detail::unary_inexact<prim::sin> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "sin";
  static constexpr std::string_view stablehlo = "sine";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    // Also keeps the sign of zero.
    return select(abs(x) < V(detail::trig_constants<typename V::value_type>::tiny), x, detail::sin_shifted<0>(x));
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    return c.mul(t, c.elementwise(prim::cos, c.in(e, 0)));
  }
};

}  // namespace exprax
