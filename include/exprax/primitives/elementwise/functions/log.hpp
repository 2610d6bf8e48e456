// SPDX-License-Identifier: BSL-1.0
// log (jax.lax.log): the natural logarithm; -infinity at 0, NaN below. Error below 1 ULP.
#pragma once

#include <exprax/math/exponential.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::log> : detail::unary_inexact<prim::log> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "log";
  static constexpr std::string_view stablehlo = "log";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    if constexpr (!V::has_scale) {
      using limits = std::numeric_limits<typename V::value_type>;
      auto const usual = (x >= V(limits::min())) & (x <= V(limits::max()));
      if (all(usual)) {
        auto const [m, e] = split_normal(x);
        return detail::log_of_parts(m - V(1), e);
      }
    }
    auto const [m, e] = split(x);
    return detail::log_special(x, detail::log_of_parts(m - V(1), e));
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    return c.div(t, c.in(e, 0));
  }
};

}  // namespace exprax
