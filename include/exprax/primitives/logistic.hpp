// SPDX-License-Identifier: BSL-1.0
// logistic (jax.lax.logistic): 1 / (1 + exp(-x)).
#pragma once

#include <exprax/primitives/exp.hpp>

namespace exprax {

template <>
struct primitive<prim::logistic> : detail::unary_float<prim::logistic> {
  static constexpr std::string_view name = "logistic";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return V(1) / (V(1) + primitive<prim::exp>::kernel(-x));
  }
};

}  // namespace exprax
