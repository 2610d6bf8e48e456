// SPDX-License-Identifier: BSL-1.0
// reduce_or (jax.lax.reduce_or): whether any is true along some axes; bitwise for integers.
#pragma once

#include <exprax/primitives/elementwise/logic/or_.hpp>
#include <exprax/primitives/reductions/reduction.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_or> : detail::reduction<prim::reduce_or, prim::or_, detail::reduction_kind::logical> {
  static constexpr std::string_view name = "reduce_or";
};

}  // namespace exprax
