// SPDX-License-Identifier: BSL-1.0
// logistic (jax.lax.logistic): 1 / (1 + exp(-x)), for x < 0 as exp(x) / (1 + exp(x)), so that small results keep
// their digits. Error below 1.4 ULP.
#pragma once

#include <exprax/primitives/elementary.hpp>

namespace exprax {

template <>
struct primitive<prim::logistic> : detail::unary_inexact<prim::logistic> {
  static constexpr std::string_view name = "logistic";
  static constexpr std::string_view stablehlo = "logistic";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const e = detail::exp_of(bounded(-abs(x), detail::is_single<V> ? T(-104) : T(-746), T(0)));
    V const one(T(1));
    auto const negative = x < V(T(0));
    V const n = select(negative, e, one);
    V const d = one + e;
    V const q = n / d;
    // What the sum and the quotient lost, divided by d: 1/d is q or 1 - q.
    V const rest = fma(-q, (one - d) + e, fma(-q, d, n));
    return fma(rest, select(negative, one - q, q), q);
  }
};

}  // namespace exprax
