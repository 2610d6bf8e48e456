// SPDX-License-Identifier: BSL-1.0
// le (jax.lax.le): a <= b; false < true.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::le> : detail::comparison<prim::le> {
  static constexpr std::string_view name = "le";
  static constexpr std::string_view direction = "LE";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a <= b;
  }
};

}  // namespace exprax
