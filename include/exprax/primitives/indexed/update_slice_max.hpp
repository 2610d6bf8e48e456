// SPDX-License-Identifier: BSL-1.0
// update_slice_max: the operand, with the elements of a known slice replaced by their maximum with those of an update (jax.lax.scatter_max
// with constant indices).
#pragma once

#include <exprax/primitives/elementwise/arithmetic/max.hpp>
#include <exprax/primitives/indexed/update_slice_family.hpp>

namespace exprax {

template <>
struct primitive<prim::update_slice_max> : detail::update_slice_family<prim::update_slice_max, prim::max> {
  static constexpr std::string_view name = "scatter-max";
};

}  // namespace exprax
