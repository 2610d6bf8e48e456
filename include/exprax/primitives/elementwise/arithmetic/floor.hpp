// SPDX-License-Identifier: BSL-1.0
// floor (jax.lax.floor): towards minus infinity.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::floor> : detail::unary_float<prim::floor> {
  static constexpr prim_traits traits = unary_float::traits.locally_constant();
  static constexpr std::string_view name = "floor";
  static constexpr std::string_view stablehlo = "floor";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return floor(x);
  }
};

}  // namespace exprax
