// SPDX-License-Identifier: BSL-1.0
// scatter-mul (jax.lax.scatter_mul): the operand with some elements multiplied by an update.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/mul.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>

namespace exprax {

template <>
struct primitive<prim::scatter_mul> : detail::scatter_family<prim::scatter_mul, prim::mul> {
  static constexpr std::string_view name = "scatter-mul";
};

}  // namespace exprax
