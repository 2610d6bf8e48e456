// SPDX-License-Identifier: BSL-1.0
// Family of the primitives with one operand whose result reads it at an affine map of its index: primitive<P>::operand_index.
// Indices outside of the operand do not occur.
#pragma once

#include <exprax/primitives/movement/index_map.hpp>

namespace exprax::detail {

template <prim P>
struct affine_read {
  static constexpr prim_traits traits{
      .kind = op_class::movement, .arity = 1, .cost = 0, .moves_bits = true, .is_affine = true, .linear_in = first_operand};
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    aval const& out = e.out_type(0);
    copy_box(out, m.out(e, 0), place(out), m.in(e, 0), primitive<P>::operand_index(e).element_of(strides(e.type(0))));
  }
};

}  // namespace exprax::detail
