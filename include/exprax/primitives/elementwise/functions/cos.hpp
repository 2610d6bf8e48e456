// SPDX-License-Identifier: BSL-1.0
// cos (jax.lax.cos): the cosine of x radians, error below 1.6 ULP for every x; NaN for infinite x.
#pragma once

#include <exprax/math/trigonometric.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::cos> : detail::unary_inexact<prim::cos> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "cos";
  static constexpr std::string_view stablehlo = "cosine";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return detail::sin_shifted<1>(x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    return c.neg(c.mul(t, c.elementwise(prim::sin, c.in(e, 0))));
  }
};

}  // namespace exprax
