// SPDX-License-Identifier: BSL-1.0
// ne (jax.lax.ne): a != b; NaN differs from everything.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::ne> : detail::equality<prim::ne> {
  static constexpr std::string_view name = "ne";
  static constexpr std::string_view direction = "NE";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a != b;
  }
};

}  // namespace exprax
