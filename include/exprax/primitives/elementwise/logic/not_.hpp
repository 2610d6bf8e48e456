// SPDX-License-Identifier: BSL-1.0
// not (jax.lax.bitwise_not): all bits inverted; bool: negated.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::not_> : detail::unary_logical<prim::not_> {
  static constexpr std::string_view name = "not";
  static constexpr std::string_view stablehlo = "not";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return ~x;
  }
};

}  // namespace exprax
