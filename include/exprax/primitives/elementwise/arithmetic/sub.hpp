// SPDX-License-Identifier: BSL-1.0
// sub (jax.lax.sub): a - b; integers wrap.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::sub> : detail::binary<prim::sub> {
  static constexpr prim_traits traits = binary::traits.linear();
  static constexpr std::string_view name = "sub";
  static constexpr std::string_view stablehlo = "subtract";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a - b;
  }
};

}  // namespace exprax
