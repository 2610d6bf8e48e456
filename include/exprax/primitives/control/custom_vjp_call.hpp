// SPDX-License-Identifier: BSL-1.0
// custom_vjp_call (jax.custom_vjp): a function with a rule for reverse mode. Parameters: its name, the number of residuals. Blocks: the
// function; forward, which returns the results and then the residuals; backward, which takes the residuals and a cotangent of each result,
// and returns a cotangent of each operand. Those of integers are bools.
#pragma once

#include <exprax/primitives/control/custom_jvp_call.hpp>

namespace exprax {

template <>
struct primitive<prim::custom_vjp_call> : detail::custom_call<prim::custom_vjp_call> {
  static constexpr std::string_view name = "custom_vjp_call";

  static constexpr int num_residuals(equation_ref const& e) { return e.param(1); }

  static constexpr bool infer(equation_ref const& e, aval* out) { return e.e.n_blk == 3 && e.n_par() == 2 && infer_call(e, out); }
  // The results by the forward block; their tangents by an equation that only a transposition can replace (custom_lin).
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    detail::arena<int> in, operands;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) in.push(c.in(e, k));
    detail::arena<int> const made = c.splice(e.sub(1), in);
    for (int k = e.n_out(); k < made.size(); ++k) operands.push(made[k]);
    for (int k = 0; k < e.n_in(); ++k) operands.push(detail::tangent_or_bools(c, e, k));
    for (int k = 0; k < e.n_out(); ++k) out.push(detail::tangent_type(e.out_type(k)));
    int const backward = c.copy_block(e.p.block_id(e.e, 2)), n = num_residuals(e);
    int const tangents = c.emit(prim::custom_lin, operands, {&n, 1}, out, {&backward, 1});
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, made[k], is_inexact(e.out_type(k).type) ? tangents + k : Context::no_tangent);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("name");
    o.name(e.param(0));
    o.key("bwd");
    o.text("bwd");
    o.key("call_jaxpr");
    o.block(0);
    o.key("fwd_jaxpr_thunk");
    o.text("fwd");
    o.key("out_trees");
    o.text("out_trees");
    o.key("symbolic_zeros");
    o.text("False");
  }
};

}  // namespace exprax
