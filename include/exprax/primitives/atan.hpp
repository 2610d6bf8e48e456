// SPDX-License-Identifier: BSL-1.0
// atan (jax.lax.atan): the arc tangent, from 1 on by atan(x) = pi/2 - atan(1/x). Error below 1.3 ULP.
#pragma once

#include <exprax/primitives/arcs.hpp>

namespace exprax {

template <>
struct primitive<prim::atan> : detail::unary_float<prim::atan> {
  static constexpr std::string_view name = "atan";
  static constexpr std::string_view stablehlo = "chlo.atan";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using C = detail::pi_parts<T>;
    V const zero(T(0));
    V const one(T(1));
    V const size = abs(x);
    auto const large = size > one;
    V const t = select(large, -one, size) / select(large, size, one);
    V const z = t * t;
    V const low = select(large, V(C::low * T(0.5)), zero);
    return copysign(detail::sum_with_rest(select(large, V(C::high * T(0.5)), zero), t, fma(t * z, detail::atan_tail(z), low)), x);
  }
};

}  // namespace exprax
