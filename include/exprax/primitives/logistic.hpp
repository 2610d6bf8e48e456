// SPDX-License-Identifier: BSL-1.0
// logistic (jax.lax.logistic): 1 / (1 + exp(-x)), for x < 0 as exp(x) / (1 + exp(x)), so that small results keep
// their digits. Error below 2.4 ULP.
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
    return select(x < V(T(0)), e, V(T(1))) / (V(T(1)) + e);
  }
};

}  // namespace exprax
