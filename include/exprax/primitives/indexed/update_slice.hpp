// SPDX-License-Identifier: BSL-1.0
// update_slice: the operand, with the elements of a known slice replaced by those of an update (jax.lax.scatter with constant indices).
#pragma once

#include <exprax/primitives/indexed/update_slice_family.hpp>

namespace exprax {

template <>
struct primitive<prim::update_slice> : detail::update_slice_family<prim::update_slice, prim::update_slice> {
  static constexpr std::string_view name = "scatter";
};

}  // namespace exprax
