// SPDX-License-Identifier: BSL-1.0
// eq (jax.lax.eq): a == b; NaN equals nothing.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::eq> : detail::equality<prim::eq> {
  static constexpr std::string_view name = "eq";
  static constexpr std::string_view direction = "EQ";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a == b;
  }
};

}  // namespace exprax
