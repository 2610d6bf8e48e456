// SPDX-License-Identifier: BSL-1.0
// cumsum (jax.lax.cumsum): the running sum along an axis. Integers wrap.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/add.hpp>
#include <exprax/primitives/reductions/cumulative.hpp>

namespace exprax {

template <>
struct primitive<prim::cumsum> : detail::cumulative_of<prim::cumsum, prim::add> {
  static constexpr std::string_view name = "cumsum";
};

}  // namespace exprax
