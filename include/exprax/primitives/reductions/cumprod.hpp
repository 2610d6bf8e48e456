// SPDX-License-Identifier: BSL-1.0
// cumprod (jax.lax.cumprod): the running product along an axis. Integers wrap.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/mul.hpp>
#include <exprax/primitives/reductions/cumulative.hpp>

namespace exprax {

template <>
struct primitive<prim::cumprod> : detail::cumulative_of<prim::cumprod, prim::mul> {
  static constexpr std::string_view name = "cumprod";
};

}  // namespace exprax
