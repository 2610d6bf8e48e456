// SPDX-License-Identifier: BSL-1.0
// tanh (jax.lax.tanh): the hyperbolic tangent.
#pragma once

#include <exprax/primitives/elementwise.hpp>

namespace exprax {

template <>
struct primitive<prim::tanh> : detail::unary_float<prim::tanh> {
  static constexpr std::string_view name = "tanh";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return each_lane([](auto y) { return static_cast<decltype(y)>(__builtin_tanh(y)); }, x);
  }
};

}  // namespace exprax
