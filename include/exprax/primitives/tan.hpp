// SPDX-License-Identifier: BSL-1.0
// tan (jax.lax.tan): the tangent of x radians, as the quotient of sine and cosine of the reduced angle in two parts. Error below 1.4 ULP
// for every x; NaN for infinite x, tan(-0) = -0.
#pragma once

#include <exprax/primitives/trigonometric.hpp>

namespace exprax {

template <>
struct primitive<prim::tan> : detail::unary_inexact<prim::tan> {
  static constexpr std::string_view name = "tan";
  static constexpr std::string_view stablehlo = "tan";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return select(abs(x) < V(detail::trig_constants<typename V::value_type>::tiny), x, detail::tan_of(x));
  }
};

}  // namespace exprax
