// SPDX-License-Identifier: BSL-1.0
// round_nearest_even: to the nearest integer, ties to even. round with rounding_method 1 consists of it.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::round_nearest_even> : detail::unary_float<prim::round_nearest_even> {
  static constexpr prim_traits traits = unary_float::traits.locally_constant();
  static constexpr std::string_view name = "round_nearest_even";
  static constexpr std::string_view stablehlo = "round_nearest_even";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return round_even(x);
  }
};

}  // namespace exprax
