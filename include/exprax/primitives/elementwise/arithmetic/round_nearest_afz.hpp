// SPDX-License-Identifier: BSL-1.0
// round_nearest_afz: to the nearest integer, ties away from zero. round with rounding_method 0 consists of it.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::round_nearest_afz> : detail::unary_float<prim::round_nearest_afz> {
  static constexpr prim_traits traits = unary_float::traits.locally_constant();
  static constexpr std::string_view name = "round_nearest_afz";
  static constexpr std::string_view stablehlo = "round_nearest_afz";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const whole = trunc(x);
    // The difference is exact; for infinite x it is NaN.
    return select(abs(x - whole) >= V(T(0.5)), whole + copysign(V(T(1)), x), whole);
  }
};

}  // namespace exprax
