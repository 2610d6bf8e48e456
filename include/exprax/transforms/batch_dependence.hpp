// SPDX-License-Identifier: BSL-1.0
// batch_dependence: which values of a block have the batch axis if the marked inputs have it. Collectives over the axis name add or
// remove the mark.
#pragma once

#include <exprax/primitives/all.hpp>
#include <exprax/primitives/collectives/over_axis.hpp>
#include <exprax/primitives/control/dataflow.hpp>

namespace exprax {

namespace detail {

struct carries_batch_axis {
  span<int> axis;

  template <prim P>
  struct rule {
    static constexpr char call(bool in) {
      if constexpr (primitive<P>::traits.kind == op_class::collective) return primitive<P>::spreads(true, in);
      else return in;
    }
  };
  template <class Dataflow>
  constexpr char operator()(Dataflow const& marks, eqn const& e) const {
    if (axis.empty() || !is_over_axis(marks.program(), e, axis)) return marks.any_operand(e);
    return dispatch<rule, char(bool)>(e.op, e.n_in > 0 && marks.of(marks.program().in(e, 0)));
  }
};

}  // namespace detail

template <class Program = program_ref>
struct batch_dependence : forward_dataflow<detail::carries_batch_axis, Program> {
  constexpr explicit batch_dependence(Program p, detail::span<int> axis = {})
      : forward_dataflow<detail::carries_batch_axis, Program>(p, {axis}) {}
};

}  // namespace exprax
