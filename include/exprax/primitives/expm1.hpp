// SPDX-License-Identifier: BSL-1.0
// expm1 (jax.lax.expm1): exp(x) - 1, also for small x.
#pragma once

#include <exprax/primitives/elementwise.hpp>

namespace exprax {

template <>
struct primitive<prim::expm1> : detail::unary_float<prim::expm1> {
  static constexpr std::string_view name = "expm1";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return each_lane([](auto y) { return static_cast<decltype(y)>(__builtin_expm1(y)); }, x);
  }
};

}  // namespace exprax
