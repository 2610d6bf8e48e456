// SPDX-License-Identifier: BSL-1.0
// rsqrt (jax.lax.rsqrt): 1 / sqrt(x), each step correctly rounded: 1 ULP. Infinite at 0, with its sign.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::rsqrt> : detail::unary_inexact<prim::rsqrt> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_division);
  static constexpr std::string_view name = "rsqrt";
  static constexpr std::string_view stablehlo = "rsqrt";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return V(1) / sqrt(x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    return c.mul(t, c.mul(c.real_like(x, -0.5), c.div(c.out(e), x)));
  }
};

}  // namespace exprax
