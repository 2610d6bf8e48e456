// SPDX-License-Identifier: BSL-1.0
// scatter-add (jax.lax.scatter_add): the operand with an update added to some elements.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/add.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>

namespace exprax {

template <>
struct primitive<prim::scatter_add> : detail::scatter_family<prim::scatter_add, prim::add> {
  static constexpr std::string_view name = "scatter-add";
};

}  // namespace exprax
