// SPDX-License-Identifier: BSL-1.0
// cosh (jax.lax.cosh): the hyperbolic cosine, 2 h + 1/(8 h) with h = exp(|x|)/4. Error below 1.4 ULP.
#pragma once

#include <exprax/math/exponential.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::cosh> : detail::unary_inexact<prim::cosh> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "cosh";
  static constexpr std::string_view stablehlo = "chlo.cosh";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const h = detail::normal_exp_of(bounded(abs(x), T(0), detail::is_single<V> ? T(89.5) : T(710.5)), T(0.25));
    return mul_add(h, V(T(2)), V(T(0.125)) / h);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    return c.mul(t, c.elementwise(prim::sinh, c.in(e, 0)));
  }
};

}  // namespace exprax
