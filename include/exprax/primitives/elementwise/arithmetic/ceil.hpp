// SPDX-License-Identifier: BSL-1.0
// ceil (jax.lax.ceil): towards infinity.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::ceil> : detail::unary_float<prim::ceil> {
  static constexpr prim_traits traits = unary_float::traits.locally_constant();
  static constexpr std::string_view name = "ceil";
  static constexpr std::string_view stablehlo = "ceil";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return ceil(x);
  }
};

}  // namespace exprax
