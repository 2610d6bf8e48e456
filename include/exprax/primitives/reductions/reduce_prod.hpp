// SPDX-License-Identifier: BSL-1.0
// reduce_prod (jax.lax.reduce_prod): the product along some axes. Integers wrap.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/mul.hpp>
#include <exprax/primitives/reductions/reduction.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_prod> : detail::reduction<prim::reduce_prod, prim::mul, detail::reduction_kind::arithmetic> {
  static constexpr std::string_view name = "reduce_prod";
};

}  // namespace exprax
