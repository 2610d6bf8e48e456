// SPDX-License-Identifier: BSL-1.0
// xor (jax.lax.bitwise_xor).
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::xor_> : detail::binary_logical<prim::xor_> {
  static constexpr prim_traits traits = binary_logical::traits.commuting();
  static constexpr std::string_view name = "xor";
  static constexpr std::string_view stablehlo = "xor";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a ^ b;
  }
};

}  // namespace exprax
