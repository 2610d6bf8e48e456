// SPDX-License-Identifier: BSL-1.0
// div (jax.lax.div): a / b; integers truncate, x / 0 = -1 (all ones), min / -1 = min.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::div> : detail::binary<prim::div> {
  static constexpr prim_traits traits = binary::traits.with_cost(cost_of_division);
  static constexpr std::string_view name = "div";
  static constexpr std::string_view stablehlo = "divide";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a / b;
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int k, int t) {
    int const x = c.in(e, 0), y = c.in(e, 1);
    return k == 0 ? c.div(t, y) : c.mul(c.mul(c.neg(t), x), c.integer_pow(y, -2));
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.add_summed(e, 0, c.div(c.cotangent(e), c.in(e, 1)));
  }
};

}  // namespace exprax
