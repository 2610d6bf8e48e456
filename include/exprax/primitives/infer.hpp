// SPDX-License-Identifier: BSL-1.0
// infer: the avals of an equation's results from its operands, parameters and blocks, for any primitive. out has room for the outputs of
// its block, or for one. Returns false if the equation is ill-typed.
#pragma once

#include <exprax/primitives/all.hpp>
#include <exprax/program/builder.hpp>

namespace exprax {

namespace detail {

template <prim P>
struct infer_rule {
  static constexpr bool call(equation_ref const& e, aval* out) { return primitive<P>::infer(e, out); }
};

}  // namespace detail

// Templates, so that programs that do not infer do not instantiate the rules.
template <class Equation>
constexpr bool infer(Equation const& e, aval* out) {
  return dispatch<detail::infer_rule, bool(equation_ref const&, aval*)>(e.e.op, e, out);
}

// The same for an equation without blocks on operands with these avals.
template <class Prim>
constexpr bool infer(Prim op, detail::span<aval> in, detail::span<int> params, aval* out) {
  program_builder b;
  detail::arena<int> operands;
  for (aval const& a : in) operands.push(b.add_value(a));
  return b.infer_results(infer<equation_ref>, op, operands, params, {}, 1, out);
}

}  // namespace exprax
