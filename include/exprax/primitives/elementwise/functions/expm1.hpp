// SPDX-License-Identifier: BSL-1.0
// expm1 (jax.lax.expm1): exp(x) - 1, also for small x; expm1(-0) = -0. Error below 1.9 ULP.
#pragma once

#include <exprax/math/exponential.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::expm1> : detail::unary_inexact<prim::expm1> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "expm1";
  static constexpr std::string_view stablehlo = "exponential_minus_one";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    if constexpr (detail::is_single<V>) return copysign(detail::expm1_of(bounded(x, -20.0f, 89.0f)), x);
    else return copysign(detail::expm1_of(bounded(x, -40.0, 710.0)), x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const y = c.out(e);
    return c.mul(t, c.add(y, c.number_like(y, 1)));
  }
};

}  // namespace exprax
