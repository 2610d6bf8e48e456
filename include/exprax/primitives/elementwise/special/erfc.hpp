// SPDX-License-Identifier: BSL-1.0
// erfc (jax.lax.erfc): 1 - erf(x), accurate also where that is tiny or subnormal. Error below 3.9 ULP.
#pragma once

#include <exprax/math/error_function.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::erfc> : detail::unary_float<prim::erfc> {
  static constexpr prim_traits traits = unary_float::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "erfc";
  static constexpr std::string_view stablehlo = "chlo.erfc";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const size = abs(x);
    V r = V(T(1)) - mul_add(x, detail::erf_ratio(x * x), x);
    auto const near = size < V(T(0.5));
    if (!all(near)) {
      V const far = detail::erfc_of(size);
      r = select(near, r, select(x < V(T(0)), V(T(2)) - far, far));
    }
    return r;
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    return c.mul(c.real_like(x, -1.12837916709551257390), c.mul(t, c.elementwise(prim::exp, c.neg(c.square(x)))));
  }
};

}  // namespace exprax
