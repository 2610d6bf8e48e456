// SPDX-License-Identifier: BSL-1.0
// sinh (jax.lax.sinh): the hyperbolic sine, u + u/(2 u + 1) with u = expm1(|x|)/2. Error below 1.7 ULP.
#pragma once

#include <exprax/primitives/elementary.hpp>

namespace exprax {

template <>
struct primitive<prim::sinh> : detail::unary_inexact<prim::sinh> {
  static constexpr std::string_view name = "sinh";
  static constexpr std::string_view stablehlo = "chlo.sinh";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const one(T(1));
    V const size = bounded(abs(x), T(0), detail::is_single<V> ? T(91) : T(712));
    auto const [n, rest] = detail::reduce_exp(size);
    V const p = detail::expm1_of_rest(rest);
    V const half_power = scale(V(T(0.5)), n);
    V const u = fma(half_power, p, half_power - V(T(0.5)));
    // For large x half of exp(x), which may be finite where 2^n is not.
    V const r = select(size < V(T(22)), u + u / (u + u + one), scale(one + p, n - one));
    return copysign(r, x);
  }
};

}  // namespace exprax
