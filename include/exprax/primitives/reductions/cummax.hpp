// SPDX-License-Identifier: BSL-1.0
// cummax (jax.lax.cummax): the running maximum along an axis; NaN from the first NaN on.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/max.hpp>
#include <exprax/primitives/reductions/cumulative.hpp>

namespace exprax {

template <>
struct primitive<prim::cummax> : detail::cumulative_of<prim::cummax, prim::max> {
  static constexpr std::string_view name = "cummax";
  template <class Context>
  static constexpr int running_tangent(Context& c, int x, int t, int result, int before, int t_before) {
    return c.add(c.mul(t_before, detail::share_of_extremum(c, before, result, x)),
                 c.mul(t, detail::share_of_extremum(c, x, result, before)));
  }
};

}  // namespace exprax
