// SPDX-License-Identifier: BSL-1.0
// update_slice_min: the operand, with the elements of a known slice replaced by their minimum with those of an update (jax.lax.scatter_min
// with constant indices).
#pragma once

#include <exprax/primitives/elementwise/arithmetic/min.hpp>
#include <exprax/primitives/indexed/update_slice_family.hpp>

namespace exprax {

template <>
struct primitive<prim::update_slice_min> : detail::update_slice_family<prim::update_slice_min, prim::min> {
  static constexpr std::string_view name = "scatter-min";
};

}  // namespace exprax
