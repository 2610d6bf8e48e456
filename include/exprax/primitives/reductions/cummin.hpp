// SPDX-License-Identifier: BSL-1.0
// cummin (jax.lax.cummin): the running minimum along an axis; NaN from the first NaN on.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/min.hpp>
#include <exprax/primitives/reductions/cumulative.hpp>

namespace exprax {

template <>
struct primitive<prim::cummin> : detail::cumulative_of<prim::cummin, prim::min> {
  static constexpr std::string_view name = "cummin";
};

}  // namespace exprax
