// SPDX-License-Identifier: BSL-1.0
// cumprod (jax.lax.cumprod): the running product along an axis. Integers wrap.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/mul.hpp>
#include <exprax/primitives/reductions/cumulative.hpp>

namespace exprax {

template <>
struct primitive<prim::cumprod> : detail::cumulative_of<prim::cumprod, prim::mul> {
  static constexpr std::string_view name = "cumprod";
  template <class Context>
  static constexpr int running_tangent(Context& c, int x, int t, int, int before, int t_before) {
    return c.add(c.mul(t_before, x), c.mul(before, t));
  }
};

}  // namespace exprax
