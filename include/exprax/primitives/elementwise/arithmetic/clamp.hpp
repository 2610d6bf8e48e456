// SPDX-License-Identifier: BSL-1.0
// clamp (jax.lax.clamp): min(max(x, low), high).
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::clamp> : detail::clamp_family<prim::clamp> {
  static constexpr std::string_view name = "clamp";
  static constexpr std::string_view stablehlo = "clamp";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V low, V x, V high) {
    return minimum(maximum(x, low), high);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int k, int t) {
    int const low = c.in(e, 0), x = c.in(e, 1), high = c.in(e, 2);
    int counts = -1;
    if (k == 0) counts = c.elementwise(prim::gt, low, x);
    else if (k == 2) counts = c.elementwise(prim::lt, high, x);
    else counts = c.elementwise(prim::and_, c.elementwise(prim::gt, x, low), c.elementwise(prim::lt, x, high));
    int const all = c.broadcast_to(t, e.out_type(0));
    return c.select(counts, c.zeros(c.type(all)), all);
  }
};

}  // namespace exprax
