// SPDX-License-Identifier: BSL-1.0
// reduce_max (jax.lax.reduce_max): the largest element along some axes; NaN if any is NaN; -0 < +0.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/max.hpp>
#include <exprax/primitives/reductions/reduction.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_max> : detail::reduction<prim::reduce_max, prim::max, detail::reduction_kind::extremum> {
  static constexpr std::string_view name = "reduce_max";
};

}  // namespace exprax
