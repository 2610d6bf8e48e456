// SPDX-License-Identifier: BSL-1.0
// log1p (jax.lax.log1p): log(1 + x), also for small x; log1p(-0) = -0. Error below 1 ULP.
#pragma once

#include <exprax/primitives/elementary.hpp>

namespace exprax {

template <>
struct primitive<prim::log1p> : detail::unary_inexact<prim::log1p> {
  static constexpr std::string_view name = "log1p";
  static constexpr std::string_view stablehlo = "log_plus_one";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const one(T(1));
    V const sum = one + x;
    // What the sum lost, by Knuth.
    V const part = sum - one;
    V const lost = (one - (sum - part)) + (x - part);
    auto const [m, e] = split(sum);
    V const r = detail::log_of_parts((m - one) + scale(lost, -e), e);
    return copysign(detail::log_special(sum, r), x);
  }
};

}  // namespace exprax
