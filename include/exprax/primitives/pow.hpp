// SPDX-License-Identifier: BSL-1.0
// pow (jax.lax.pow): x to the power y, special cases as in C99 Annex F.
#pragma once

#include <exprax/primitives/elementwise.hpp>

namespace exprax {

template <>
struct primitive<prim::pow> : detail::binary_float<prim::pow> {
  static constexpr std::string_view name = "pow";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V y) {
    return each_lane([](auto a, auto b) { return static_cast<decltype(a)>(__builtin_pow(a, b)); }, x, y);
  }
};

}  // namespace exprax
