// SPDX-License-Identifier: BSL-1.0
// and (jax.lax.bitwise_and).
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::and_> : detail::binary_logical<prim::and_> {
  static constexpr prim_traits traits = binary_logical::traits.commuting();
  static constexpr std::string_view name = "and";
  static constexpr std::string_view stablehlo = "and";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a & b;
  }
};

}  // namespace exprax
