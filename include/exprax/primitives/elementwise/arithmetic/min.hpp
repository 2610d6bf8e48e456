// SPDX-License-Identifier: BSL-1.0
// min (jax.lax.min): the smaller one; NaN if either is NaN; -0 < +0. Complex numbers are compared as for max.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::min> : detail::binary_ordered<prim::min> {
  static constexpr prim_traits traits = binary_ordered::traits.commuting().with_float_instructions(3);
  static constexpr std::string_view name = "min";
  static constexpr std::string_view stablehlo = "minimum";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    if constexpr (std::is_same_v<typename V::value_type, bool>) return a & b;
    else return minimum(a, b);
  }
  // Of N floats.
  template <int N, class V>
  EXPRAX_INLINE static constexpr V kernel_of(V const* x) {
    return V::template minimum_of<N>(x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int k, int t) {
    return c.mul(t, detail::share_of_extremum(c, c.in(e, k), c.out(e), c.in(e, 1 - k)));
  }
};

}  // namespace exprax
