// SPDX-License-Identifier: BSL-1.0
// log (jax.lax.log): the natural logarithm.
#pragma once

#include <exprax/primitives/elementwise.hpp>

namespace exprax {

template <>
struct primitive<prim::log> : detail::unary_float<prim::log> {
  static constexpr std::string_view name = "log";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return each_lane([](auto y) { return static_cast<decltype(y)>(__builtin_log(y)); }, x);
  }
};

}  // namespace exprax
