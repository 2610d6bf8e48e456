// SPDX-License-Identifier: BSL-1.0
// sub (jax.lax.sub): a - b; integers wrap.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::sub> : detail::binary<prim::sub> {
  static constexpr prim_traits traits = binary::traits.linear();
  static constexpr std::string_view name = "sub";
  static constexpr std::string_view stablehlo = "subtract";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a - b;
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int k, int t) {
    return c.broadcast_to(k == 0 ? t : c.neg(t), e.out_type(0));
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    if (c.is_linear(e, 0)) c.add_summed(e, 0, c.cotangent(e));
    if (c.is_linear(e, 1)) c.add_summed(e, 1, c.neg(c.cotangent(e)));
  }
};

}  // namespace exprax
