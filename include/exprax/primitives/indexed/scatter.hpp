// SPDX-License-Identifier: BSL-1.0
// scatter (jax.lax.scatter): the operand with some elements replaced.
#pragma once

#include <exprax/primitives/indexed/scatter_family.hpp>

namespace exprax {

template <>
struct primitive<prim::scatter> : detail::scatter_family<prim::scatter, prim::scatter> {
  static constexpr std::string_view name = "scatter";
};

}  // namespace exprax
