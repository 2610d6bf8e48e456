// SPDX-License-Identifier: BSL-1.0
// reduce_sum (jax.lax.reduce_sum): the sum along some axes. Integers wrap.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/add.hpp>
#include <exprax/primitives/reductions/reduction.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_sum> : detail::reduction<prim::reduce_sum, prim::add, detail::reduction_kind::arithmetic> {
  static constexpr std::string_view name = "reduce_sum";
};

}  // namespace exprax
