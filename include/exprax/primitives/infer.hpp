// SPDX-License-Identifier: BSL-1.0
// infer: the avals of an equation's results from its operands, parameters and blocks, for any primitive. out has room for the outputs of
// its block, or for one. Returns false if the equation is ill-typed.
#pragma once

#include <exprax/primitives/all.hpp>

namespace exprax {

namespace detail {

template <prim P>
struct infer_rule {
  static constexpr bool call(equation_ref const& e, aval* out) { return primitive<P>::infer(e, out); }
};

}  // namespace detail

constexpr bool infer(equation_ref const& e, aval* out) { return dispatch<detail::infer_rule, bool(equation_ref const&, aval*)>(e.e.op, e, out); }

// The same for an equation without blocks on operands with these avals.
constexpr bool infer(prim op, detail::span<aval> in, detail::span<int> params, aval* out) {
  program p;
  eqn const e{op, 0, in.size(), 0, 1, 0, params.size(), 0, 0};
  for (aval const& a : in) p.refs.push(p.add_value(a));
  for (int x : params) p.params.push(x);
  program_ref const q = p.ref();
  return infer(equation_ref{q, e}, out);
}

}  // namespace exprax
