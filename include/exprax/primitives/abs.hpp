// SPDX-License-Identifier: BSL-1.0
// abs (jax.lax.abs): the magnitude; the smallest signed integer stays as it is.
#pragma once

#include <exprax/primitives/elementwise.hpp>

namespace exprax {

template <>
struct primitive<prim::abs> : detail::unary<prim::abs> {
  static constexpr std::string_view name = "abs";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return abs(x);
  }
};

}  // namespace exprax
