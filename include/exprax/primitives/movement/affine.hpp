// SPDX-License-Identifier: BSL-1.0
// The index map of any movement that is one affine map, without borders, of its operand.
#pragma once

#include <exprax/primitives/movement/broadcast_in_dim.hpp>
#include <exprax/primitives/movement/reshape.hpp>
#include <exprax/primitives/movement/rev.hpp>
#include <exprax/primitives/movement/slice.hpp>
#include <exprax/primitives/movement/squeeze.hpp>
#include <exprax/primitives/movement/transpose.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

// A reshape is one where it only adds or drops axes of 1.
constexpr bool is_affine_movement(equation_ref const& e) {
  return traits_of(e.e.op).is_affine && (e.e.op != prim::reshape || only_unit_axes_differ(e.type(0), e.out_type(0)));
}
// The index of the operand from that of the result.
constexpr index_map operand_index(equation_ref const& e) {
  switch (e.e.op) {
    case prim::broadcast_in_dim: return primitive<prim::broadcast_in_dim>::operand_index(e);
    case prim::transpose: return primitive<prim::transpose>::operand_index(e);
    case prim::slice: return primitive<prim::slice>::operand_index(e);
    case prim::rev: return primitive<prim::rev>::operand_index(e);
    case prim::squeeze: return primitive<prim::squeeze>::operand_index(e);
    default: return primitive<prim::reshape>::operand_index(e);
  }
}

}  // namespace exprax::detail
