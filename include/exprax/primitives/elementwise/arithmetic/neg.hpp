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
};

}  // namespace exprax
