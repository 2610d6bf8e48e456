// SPDX-License-Identifier: BSL-1.0
// min (jax.lax.min): the smaller one; NaN if either is NaN, and -0 < +0.
#pragma once

#include <exprax/primitives/elementwise.hpp>

namespace exprax {

template <>
struct primitive<prim::min> : detail::binary_real<prim::min> {
  static constexpr std::string_view name = "min";
  static constexpr std::string_view stablehlo = "minimum";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return minimum(a, b);
  }
};

}  // namespace exprax
