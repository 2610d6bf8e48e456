// SPDX-License-Identifier: BSL-1.0
// add (jax.lax.add): a + b; integers wrap.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::add> : detail::binary<prim::add> {
  static constexpr prim_traits traits = binary::traits.commuting().linear();
  static constexpr std::string_view name = "add";
  static constexpr std::string_view stablehlo = "add";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a + b;
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    return c.broadcast_to(t, e.out_type(0));
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    for (int k = 0; k < 2; ++k)
      if (c.is_linear(e, k)) c.add_summed(e, k, c.cotangent(e));
  }
};

}  // namespace exprax
