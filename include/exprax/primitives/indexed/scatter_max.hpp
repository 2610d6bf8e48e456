// SPDX-License-Identifier: BSL-1.0
// scatter-max (jax.lax.scatter_max): the operand, with some elements replaced by their maximum with an update.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/max.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>

namespace exprax {

template <>
struct primitive<prim::scatter_max> : detail::scatter_family<prim::scatter_max, prim::max> {
  static constexpr std::string_view name = "scatter-max";
};

}  // namespace exprax
