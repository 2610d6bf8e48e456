// SPDX-License-Identifier: BSL-1.0
// log1p (jax.lax.log1p): log(1 + x), also for small x.
#pragma once

#include <exprax/primitives/elementwise.hpp>

namespace exprax {

template <>
struct primitive<prim::log1p> : detail::unary_float<prim::log1p> {
  static constexpr std::string_view name = "log1p";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return each_lane([](auto y) { return static_cast<decltype(y)>(__builtin_log1p(y)); }, x);
  }
};

}  // namespace exprax
