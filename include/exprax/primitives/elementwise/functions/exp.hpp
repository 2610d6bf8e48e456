// SPDX-License-Identifier: BSL-1.0
// exp (jax.lax.exp): e to the x. Error below 1.1 ULP, subnormal results included.
#pragma once

#include <exprax/math/exponential.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::exp> : detail::unary_inexact<prim::exp> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "exp";
  static constexpr std::string_view stablehlo = "exponential";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return detail::exp_of(x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    return c.mul(t, c.out(e));
  }
};

}  // namespace exprax
