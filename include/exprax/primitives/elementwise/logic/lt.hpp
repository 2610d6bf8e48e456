// SPDX-License-Identifier: BSL-1.0
// lt (jax.lax.lt): a < b; false < true.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::lt> : detail::comparison<prim::lt> {
  static constexpr std::string_view name = "lt";
  static constexpr std::string_view direction = "LT";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a < b;
  }
};

}  // namespace exprax
