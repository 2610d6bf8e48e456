// SPDX-License-Identifier: BSL-1.0
// mul (jax.lax.mul): a * b; integers wrap. Only the contraction pass fuses it with a sum.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::mul> : detail::binary<prim::mul> {
  static constexpr prim_traits traits = binary::traits.commuting();
  static constexpr std::string_view name = "mul";
  static constexpr std::string_view stablehlo = "multiply";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a * b;
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int k, int t) {
    return k == 0 ? c.mul(t, c.in(e, 1)) : c.mul(c.in(e, 0), t);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const ct = c.cotangent(e);
    if (c.is_linear(e, 0)) c.add_summed(e, 0, c.mul(ct, c.in(e, 1)));
    else c.add_summed(e, 1, c.mul(c.in(e, 0), ct));
  }
};

}  // namespace exprax
