// SPDX-License-Identifier: BSL-1.0
// or (jax.lax.bitwise_or).
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::or_> : detail::binary_logical<prim::or_> {
  static constexpr prim_traits traits = binary_logical::traits.commuting();
  static constexpr std::string_view name = "or";
  static constexpr std::string_view stablehlo = "or";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a | b;
  }
};

}  // namespace exprax
