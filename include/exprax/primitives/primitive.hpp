// SPDX-License-Identifier: BSL-1.0
// primitive<P>: one primitive with all its rules, specialised in a file of its own.
//
//   name        JAX's name, as jaxprs print it
//   traits      its properties, which other folders query instead of primitive names (prim_traits)
//   infer       abstract evaluation: the avals of the results from operands and parameters; returns false if ill-typed
//   kernel      elementwise primitives: the function on one lane, over the lane concept (math/lane.hpp)
//   batch       the equation on operands of which some carry a batch axis (jax.interpreters.batching)
//   unbatch     the inverse of batch: from the axis of each operand the axis of the result and the parameters of the equation on one row;
//               false: rows meet (passes/rows/row_axes.hpp). By default, of elementwise primitives, the same axis and parameters
//   tangent     elementwise primitives: what operand k, whose tangent is t, adds to the tangent of the result (transforms/jvp.hpp)
//   jvp         the tangents of the results, in place of `tangent`. By default those of prim_traits::linear_in
//   transpose   primitives that are linear in operands: what the cotangent of the result adds to theirs (transforms/vjp.hpp)
//   evaluate    the reference interpreter: its meaning, element by element
//   print       its parameters, in JAX's order and spelling
//   expand      composite primitives, in place of kernel and evaluate: the equations that they consist of
//               (legalize/expand_composites.hpp)
//   lower       the equation as StableHLO operations (text/stablehlo/stablehlo_lowering.hpp); or stablehlo: the name of a single one
//
// A rule gets its transform as a context argument and never includes it.
#pragma once

#include <string_view>
#include <utility>

#include <exprax/primitives/batch_axis.hpp>
#include <exprax/primitives/list.hpp>

namespace exprax {

enum class op_class : std::uint8_t {
  elementwise,  // out[i] = kernel(in[i]...); an operand's axis of 1, or an operand of rank 0, is broadcast
  movement,     // out[i] = in[affine map of i], with borders (pad, concatenate)
  generator,    // out[i] from i alone (iota)
  dynamic,      // reads at a run-time index
  update,       // the operand, with some elements replaced or combined
  reduction,
  argument_reduction,  // the index along an axis of an element that is found by comparing
  contraction,
  ordering,     // rows along the last axis, sorted
  compression,  // the indices of the true elements, in order
  cumulative,   // out[i] = in[0] op ... op in[i] along an axis
  collective,   // over a named mapped axis; batching over that axis resolves it (primitives/collectives/collective.hpp)
  composite,    // consists of other equations; may have blocks and several results
  effect,       // no results; neither removed nor reordered
  control       // has blocks
};

// Rules of these classes give their number of results. Other primitives without blocks have one, or none.
constexpr bool may_have_several_results(op_class k) {
  return k == op_class::composite || k == op_class::ordering || k == op_class::compression;
}

// Values of prim_traits::linear_in.
inline constexpr unsigned first_operand = 1, all_operands = ~0u, all_but_first_operand = ~1u;

// The cost of recomputing an element, in additions.
inline constexpr int cost_of_place = 0, cost_of_instruction = 1, cost_of_division = 4, cost_of_function = 16;
// What costs no more than this is computed for each use, not stored.
inline constexpr int cheap = cost_of_division;

// The properties of a primitive. A family defines them as `traits`; a primitive's file changes those that differ.
struct prim_traits {
  op_class kind;
  static constexpr int any_number = -1;

  int arity = any_number;            // operands
  int cost = cost_of_instruction;
  int float_instructions = 1;        // of floats, where it is not a function: an extremum compares, chooses, and keeps NaN
  bool commutes = false;             // x op y is y op x, bit for bit
  bool is_predicate = false;         // the result is bool, whatever the operands are
  bool moves_bits = false;           // results are bits of operands, or a given pattern
  bool is_affine = false;            // each element of the result is read from the operand at an affine map of its index
  bool reads_memory = false;         // the kernel reads operands from memory, not from registers
  bool takes_index_vectors = false;  // gather and the scatters
  bool updates_known_slice = false;  // an update of elements that the parameters name
  bool is_linear = false;            // jointly in all operands: acts alike on real and imaginary parts
  bool is_random = false;            // creates or reads keys
  bool is_locally_constant = false;  // its derivative is zero, where it has one
  bool jvp_makes_results = false;    // its rule jvp also writes the results, as those of control flow do
  unsigned linear_in = 0;            // operands in which it is jointly linear: bit k for operand k, the last bit for all further ones
  prim combiner{};                   // combines two elements, in reductions, running reductions and scatters

  constexpr prim_traits with_cost(int c) const {
    prim_traits t = *this;
    t.cost = c;
    return t;
  }
  constexpr prim_traits with_float_instructions(int n) const {
    prim_traits t = *this;
    t.float_instructions = n;
    return t;
  }
  constexpr prim_traits commuting() const {
    prim_traits t = *this;
    t.commutes = true;
    return t;
  }
  constexpr prim_traits linear() const {
    prim_traits t = *this;
    t.is_linear = true;
    return t;
  }
  constexpr prim_traits linear_in_operands(unsigned operands) const {
    prim_traits t = *this;
    t.linear_in = operands;
    return t;
  }
  constexpr prim_traits locally_constant() const {
    prim_traits t = *this;
    t.is_locally_constant = true;
    return t;
  }
  constexpr prim_traits moving_bits() const {
    prim_traits t = *this;
    t.moves_bits = true;
    return t;
  }
};

template <prim P>
struct primitive;

namespace detail {

// unbatch, of an equation whose parameters are the axes on which it acts. drops: the result does not have them.
constexpr bool unbatch_axes(equation_ref const& e, int row, bool drops, batch_axis& out, arena<int>& par) {
  int before = 0;
  for (int axis : e.params()) {
    if (axis == row) return false;
    before += axis < row;
    par.push(axis - (axis > row));
  }
  out = row - (drops ? before : 0);
  return true;
}

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

// Calls Rule<p>::call(arguments...) for a runtime primitive p.
template <template <prim> class Rule, class Signature, class... A>
constexpr decltype(auto) dispatch(prim p, A&&... a) {
  return detail::rule_table<Rule, Signature>::functions.of[static_cast<int>(p)](static_cast<A&&>(a)...);
}

}  // namespace exprax
