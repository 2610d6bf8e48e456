// SPDX-License-Identifier: BSL-1.0
// update_slice_add: the operand, with the elements of a known slice added to those of an update (jax.lax.scatter_add with constant
// indices).
#pragma once

#include <exprax/primitives/elementwise/arithmetic/add.hpp>
#include <exprax/primitives/indexed/update_slice_family.hpp>

namespace exprax {

template <>
struct primitive<prim::update_slice_add> : detail::update_slice_family<prim::update_slice_add, prim::add> {
  static constexpr std::string_view name = "scatter-add";
};

}  // namespace exprax
