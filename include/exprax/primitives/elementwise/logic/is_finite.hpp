// SPDX-License-Identifier: BSL-1.0
// is_finite (jax.lax.is_finite): neither infinite nor NaN.
#pragma once

#include <limits>

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::is_finite> : detail::unary_predicate<prim::is_finite> {
  static constexpr std::string_view name = "is_finite";
  static constexpr std::string_view stablehlo = "is_finite";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V x) {
    return abs(x) < V(std::numeric_limits<typename V::value_type>::infinity());
  }
};

}  // namespace exprax
