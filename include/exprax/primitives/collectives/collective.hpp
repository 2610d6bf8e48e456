// SPDX-License-Identifier: BSL-1.0
// Family of the collectives (jax.lax.parallel): functions of all elements along a named mapped axis (vmap's axis_name). Batching over that
// axis replaces the equation by others, in which it is an axis of the operand; batching over another axis keeps it. So collectives are
// neither evaluated nor planned, except sums over axes that earlier batching has made positional
// (primitives/collectives/collective_reduction.hpp). A collective left at the end of a trace is unbound.
//
// primitive<P>::spreads(over, in): whether batching over an axis makes the result batched; over: the equation is over that
// axis; in: its operand is batched.
#pragma once

#include <exprax/primitives/collectives/axis_names.hpp>

namespace exprax::detail {

struct collective {
  static constexpr prim_traits traits{.kind = op_class::collective};
  // Of what only moves values between the indices.
  static constexpr prim_traits moving = traits.moving_bits().linear_in_operands(first_operand);

  // Never called.
  template <class Machine>
  static constexpr void evaluate(Machine&, equation_ref const&) {}
  template <class Lowering>
  static constexpr void lower(Lowering&, equation_ref const&) {}

  // axis_name=i, or, where JAX prints a tuple, axis_name=('i',).
  template <class Printer>
  static constexpr void print_axis(Printer& o, equation_ref const& e, bool as_tuple) {
    o.key("axis_name");
    if (as_tuple) o.text("('");
    print_axis_name(o, axes_of(e.p, e.e));
    if (as_tuple) o.text("',)");
  }

 protected:
  // v with axis `axis` of size n * m split into two axes, n and m; and the inverse.
  template <class Context>
  static constexpr int split(Context& c, int v, int axis, int n) {
    aval shape = c.type(v).with_axis(axis, n);
    shape.dims[axis + 1] /= n;
    return c.reshape(v, shape);
  }
  template <class Context>
  static constexpr int fold(Context& c, int v, int axis) {
    aval shape = c.type(v).without_axis(axis);
    shape.dims[axis] *= c.type(v).dims[axis];
    return c.reshape(v, shape);
  }
  // The parameters with an axis shifted by the axes inserted before it.
  static constexpr arena<int> with_params(equation_ref const& e, int first, int second, int n) {
    arena<int> par;
    for (int x : e.params()) par.push(x);
    par[0] = first;
    if (n > 1) par[1] = second;
    return par;
  }
};

}  // namespace exprax::detail
