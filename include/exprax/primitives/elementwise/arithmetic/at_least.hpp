// SPDX-License-Identifier: BSL-1.0
// at_least: max(x, c) for a number c, with either zero if both are zeros. JAX has no such primitive: simplify makes it from max, which
// must look for NaN in both operands.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::at_least> : detail::binary_float<prim::at_least> {
  static constexpr std::string_view name = "at_least";
  static constexpr std::string_view stablehlo = "maximum";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V c) {
    return at_least(x, c);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int k, int t) {
    return c.mul(t, detail::share_of_extremum(c, c.in(e, k), c.out(e), c.in(e, 1 - k)));
  }
};

}  // namespace exprax
