// SPDX-License-Identifier: BSL-1.0
// exp (jax.lax.exp): e to the x.
#pragma once

#include <exprax/primitives/elementwise.hpp>

namespace exprax {

template <>
struct primitive<prim::exp> : detail::unary_float<prim::exp> {
  static constexpr std::string_view name = "exp";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return each_lane([](auto y) { return static_cast<decltype(y)>(__builtin_exp(y)); }, x);
  }
};

}  // namespace exprax
