// SPDX-License-Identifier: BSL-1.0
// sin (jax.lax.sin): sine, in radians.
#pragma once

#include <exprax/primitives/elementwise.hpp>

namespace exprax {

template <>
struct primitive<prim::sin> : detail::unary_float<prim::sin> {
  static constexpr std::string_view name = "sin";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return each_lane([](auto y) { return static_cast<decltype(y)>(__builtin_sin(y)); }, x);
  }
};

}  // namespace exprax
