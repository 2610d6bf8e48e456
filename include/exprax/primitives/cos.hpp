// SPDX-License-Identifier: BSL-1.0
// cos (jax.lax.cos): cosine, in radians.
#pragma once

#include <exprax/primitives/elementwise.hpp>

namespace exprax {

template <>
struct primitive<prim::cos> : detail::unary_float<prim::cos> {
  static constexpr std::string_view name = "cos";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return each_lane([](auto y) { return static_cast<decltype(y)>(__builtin_cos(y)); }, x);
  }
};

}  // namespace exprax
