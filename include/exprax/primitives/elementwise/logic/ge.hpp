// SPDX-License-Identifier: BSL-1.0
// ge (jax.lax.ge): a >= b; false < true.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::ge> : detail::comparison<prim::ge> {
  static constexpr std::string_view name = "ge";
  static constexpr std::string_view direction = "GE";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a >= b;
  }
};

}  // namespace exprax
