// SPDX-License-Identifier: BSL-1.0
// erf (jax.lax.erf): the error function. Error below 1.3 ULP.
#pragma once

#include <exprax/math/error_function.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::erf> : detail::unary_float<prim::erf> {
  static constexpr prim_traits traits = unary_float::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "erf";
  static constexpr std::string_view stablehlo = "chlo.erf";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const size = abs(x);
    V r = mul_add(size, detail::erf_ratio(size * size), size);
    auto const near = size <= V(T(1));
    if (!all(near)) r = select(near, r, detail::erf_far(size));
    return copysign(select(isnan(x), x, r), x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    return c.mul(c.real_like(x, 1.12837916709551257390), c.mul(t, c.elementwise(prim::exp, c.neg(c.square(x)))));
  }
};

}  // namespace exprax
