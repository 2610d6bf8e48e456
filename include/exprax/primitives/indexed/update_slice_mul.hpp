// SPDX-License-Identifier: BSL-1.0
// update_slice_mul: the operand, with the elements of a known slice multiplied by those of an update (jax.lax.scatter_mul with constant
// indices).
#pragma once

#include <exprax/primitives/elementwise/arithmetic/mul.hpp>
#include <exprax/primitives/indexed/update_slice_family.hpp>

namespace exprax {

template <>
struct primitive<prim::update_slice_mul> : detail::update_slice_family<prim::update_slice_mul, prim::mul> {
  static constexpr std::string_view name = "scatter-mul";
};

}  // namespace exprax
