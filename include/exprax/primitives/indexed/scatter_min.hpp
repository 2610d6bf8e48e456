// SPDX-License-Identifier: BSL-1.0
// scatter-min (jax.lax.scatter_min): the operand, with some elements replaced by their minimum with an update.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/min.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>

namespace exprax {

template <>
struct primitive<prim::scatter_min> : detail::scatter_family<prim::scatter_min, prim::min> {
  static constexpr std::string_view name = "scatter-min";
};

}  // namespace exprax
