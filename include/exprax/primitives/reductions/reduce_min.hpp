// SPDX-License-Identifier: BSL-1.0
// reduce_min (jax.lax.reduce_min): the smallest element along some axes; NaN if any is NaN; -0 < +0.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/min.hpp>
#include <exprax/primitives/reductions/reduction.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_min> : detail::reduction<prim::reduce_min, prim::min, detail::reduction_kind::extremum> {
  static constexpr std::string_view name = "reduce_min";
};

}  // namespace exprax
