// SPDX-License-Identifier: BSL-1.0
// clamp (jax.lax.clamp): min(max(x, low), high).
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::clamp> : detail::clamp_family<prim::clamp> {
  static constexpr std::string_view name = "clamp";
  static constexpr std::string_view stablehlo = "clamp";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V low, V x, V high) {
    return minimum(maximum(x, low), high);
  }
};

}  // namespace exprax
