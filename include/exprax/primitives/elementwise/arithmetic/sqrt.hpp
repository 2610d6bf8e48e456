// SPDX-License-Identifier: BSL-1.0
// sqrt (jax.lax.sqrt), correctly rounded; NaN below 0, sqrt(-0) = -0.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::sqrt> : detail::unary_inexact<prim::sqrt> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_division);
  static constexpr std::string_view name = "sqrt";
  static constexpr std::string_view stablehlo = "sqrt";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return sqrt(x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const y = c.out(e);
    return c.mul(t, c.div(c.real_like(y, 0.5), y));
  }
};

}  // namespace exprax
