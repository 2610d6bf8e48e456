// SPDX-License-Identifier: BSL-1.0
// cummax (jax.lax.cummax): the running maximum along an axis; NaN from the first NaN on.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/max.hpp>
#include <exprax/primitives/reductions/cumulative.hpp>

namespace exprax {

template <>
struct primitive<prim::cummax> : detail::cumulative_of<prim::cummax, prim::max> {
  static constexpr std::string_view name = "cummax";
};

}  // namespace exprax
