// SPDX-License-Identifier: BSL-1.0
// neg (jax.lax.neg): -x; integers wrap.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::neg> : detail::unary<prim::neg> {
  static constexpr prim_traits traits = unary::traits.linear();
  static constexpr std::string_view name = "neg";
  static constexpr std::string_view stablehlo = "negate";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return -x;
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const&, int, int t) {
    return c.neg(t);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.add_cotangent(e, 0, c.neg(c.cotangent(e)));
  }
};

}  // namespace exprax
