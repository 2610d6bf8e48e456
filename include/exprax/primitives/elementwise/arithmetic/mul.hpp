// SPDX-License-Identifier: BSL-1.0
// mul (jax.lax.mul): a * b; integers wrap. Only the contraction pass fuses it with a sum.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::mul> : detail::binary<prim::mul> {
  static constexpr prim_traits traits = binary::traits.commuting();
  static constexpr std::string_view name = "mul";
  static constexpr std::string_view stablehlo = "multiply";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a * b;
  }
};

}  // namespace exprax
