// SPDX-License-Identifier: BSL-1.0
// gt (jax.lax.gt): a > b; false < true.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::gt> : detail::comparison<prim::gt> {
  static constexpr std::string_view name = "gt";
  static constexpr std::string_view direction = "GT";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a > b;
  }
};

}  // namespace exprax
