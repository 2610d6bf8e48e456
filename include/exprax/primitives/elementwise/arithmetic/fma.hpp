// SPDX-License-Identifier: BSL-1.0
// fma: a * b + c, rounded once where the target fuses (math/fused.hpp). JAX has no such primitive: the contraction pass makes it from mul
// and add, and sums of products consist of it.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::fma> : detail::fma_family<prim::fma> {
  static constexpr std::string_view name = "fma";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b, V c) {
    return mul_add(a, b, c);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int k, int t) {
    return k < 2 ? c.mul(t, c.in(e, 1 - k)) : c.broadcast_to(t, e.out_type(0));
  }
};

}  // namespace exprax
