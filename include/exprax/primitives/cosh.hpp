// SPDX-License-Identifier: BSL-1.0
// cosh (jax.lax.cosh): the hyperbolic cosine, h + 1/(4 h) with h = exp(|x|)/2. Error below 1.4 ULP.
#pragma once

#include <exprax/primitives/elementary.hpp>

namespace exprax {

template <>
struct primitive<prim::cosh> : detail::unary_inexact<prim::cosh> {
  static constexpr std::string_view name = "cosh";
  static constexpr std::string_view stablehlo = "chlo.cosh";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const one(T(1));
    auto const [n, rest] = detail::reduce_exp(bounded(abs(x), T(0), detail::is_single<V> ? T(91) : T(712)));
    V const h = scale(one + detail::expm1_of_rest(rest), n - one);
    return h + V(T(0.25)) / h;
  }
};

}  // namespace exprax
