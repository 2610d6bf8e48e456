// SPDX-License-Identifier: BSL-1.0
// tanh (jax.lax.tanh): the hyperbolic tangent, by t / (t + 2) with t = expm1(2 |x|); tanh(-0) = -0. Error below 2.6 ULP.
#pragma once

#include <exprax/primitives/elementary.hpp>

namespace exprax {

template <>
struct primitive<prim::tanh> : detail::unary_inexact<prim::tanh> {
  static constexpr std::string_view name = "tanh";
  static constexpr std::string_view stablehlo = "tanh";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const t = detail::expm1_of(bounded(abs(x) + abs(x), T(0), detail::is_single<V> ? T(20) : T(40)));
    return copysign(t / (t + V(T(2))), x);
  }
};

}  // namespace exprax
