// SPDX-License-Identifier: BSL-1.0
// exp (jax.lax.exp): e to the x. Error below 1.1 ULP, subnormal results included.
#pragma once

#include <exprax/primitives/elementary.hpp>

namespace exprax {

template <>
struct primitive<prim::exp> : detail::unary_inexact<prim::exp> {
  static constexpr std::string_view name = "exp";
  static constexpr std::string_view stablehlo = "exponential";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    // Beyond these bounds the result is 0 or infinite.
    if constexpr (detail::is_single<V>) return detail::exp_of(bounded(x, -104.0f, 89.0f));
    else return detail::exp_of(bounded(x, -746.0, 710.0));
  }
};

}  // namespace exprax
