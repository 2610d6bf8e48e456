// SPDX-License-Identifier: BSL-1.0
// primitive<P>: one primitive with all its rules, specialised in a file of its own.
//
//   name        JAX's name, as jaxprs print it
//   kind        what the planner may do with it
//   infer       abstract evaluation: the avals of the results from operands and parameters; false: ill-typed
//   kernel      elementwise primitives: the function of one lane, over the lane concept (types/lane.hpp)
//   batch       the equation on operands of which some carry a batch axis (jax.interpreters.batching)
//   evaluate    its meaning, element by element: the reference interpreter
//   print       its parameters, in the order and spelling of JAX
//   expand      composite primitives, in place of kernel and evaluate: the equations that they are put together from
//               (transforms/expand_composites.hpp)
//   lower       the equation in operations of StableHLO (text/stablehlo_lowering.hpp); stablehlo: the name of the one that it is
//
// A rule gets what it needs of its transform as a context and never includes the transform.
#pragma once

#include <string_view>

#include <exprax/primitives/list.hpp>

namespace exprax {

enum class op_class : std::uint8_t {
  elementwise,  // out[i] = kernel(in[i]...); an operand's axis of 1, or an operand of rank 0, is broadcast
  movement,     // out[i] = in[affine map of i], with borders (pad, concatenate)
  generator,    // out[i] from i alone (iota)
  dynamic,      // reads at an index that is known at run time only
  update,       // the operand, with some elements replaced or combined
  reduction,
  contraction,
  ordering,     // rows along the last axis, sorted
  cumulative,   // out[i] = out[i - 1] op in[i] along an axis
  collective,   // over a mapped axis that has a name; batching over that axis resolves it (primitives/collective.hpp)
  composite,    // put together from others; may have blocks and several results
  effect,       // has no results; is neither removed nor reordered
  control       // has blocks
};

template <prim P>
struct primitive;

namespace detail {

// Rule<P>::call for a primitive known as a value: one table of function pointers for each rule.
template <template <prim> class Rule, class Signature>
struct rule_table;
template <template <prim> class Rule, class R, class... A>
struct rule_table<Rule, R(A...)> {
  using function = R (*)(A...);
  struct table {
    function of[prim_count];
  };
  template <int... I>
  static constexpr table make(std::integer_sequence<int, I...>) {
    return {{&Rule<static_cast<prim>(I)>::call...}};
  }
  static constexpr table functions = make(std::make_integer_sequence<int, prim_count>{});
};

}  // namespace detail

// Calls Rule<p>::call(arguments...), with the primitive p known only as a value.
template <template <prim> class Rule, class Signature, class... A>
constexpr decltype(auto) dispatch(prim p, A&&... a) {
  return detail::rule_table<Rule, Signature>::functions.of[static_cast<int>(p)](static_cast<A&&>(a)...);
}

}  // namespace exprax
