// SPDX-License-Identifier: BSL-1.0
// mul (jax.lax.mul): a * b; integers wrap. Never fused with a sum but by the contraction pass.
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
};

}  // namespace exprax
