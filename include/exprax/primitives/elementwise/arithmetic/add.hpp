// SPDX-License-Identifier: BSL-1.0
// add (jax.lax.add): a + b; integers wrap.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::add> : detail::binary<prim::add> {
  static constexpr prim_traits traits = binary::traits.commuting().linear();
  static constexpr std::string_view name = "add";
  static constexpr std::string_view stablehlo = "add";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a + b;
  }
};

}  // namespace exprax
