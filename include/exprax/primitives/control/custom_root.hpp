// SPDX-License-Identifier: BSL-1.0
// custom_root (jax.lax.custom_root): x with f(x) = 0, computed by a function of the user; its derivative is that of the implicit function.
// Operands and parameters: solver_call.hpp; the arguments are the initial guess. Blocks: f; solve, which returns x and what else it knows;
// linearize_and_solve, of x and y, which returns z with f'(x) z = y. JAX has a custom_jvp_call in its place, so it prints as one.
#pragma once

#include <exprax/primitives/control/solver_call.hpp>

namespace exprax {

template <>
struct primitive<prim::custom_root> : detail::solver_call<prim::custom_root> {
  static constexpr std::string_view name = "custom_jvp_call";

  static constexpr bool infer(equation_ref const& e, aval* out) { return e.e.n_blk == 3 && infer_solution(e, 1, out); }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    expand_solution(c, e, 1);
  }
  // From f(m, x) = 0 follows f_x x' = -f_m m'.
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    int const n = e.n_in() - first_argument(e);
    detail::arena<int> const in = values(c, e);
    detail::arena<int> point = consts(e, 0, in), solved = consts(e, 2, in), tangents;
    bool varies = false;
    for (int k = 0; k < e.param(0); ++k) {
      tangents.push(c.tangent(e, k));
      varies = varies || c.has_tangent(e, k);
    }
    if (!varies) return;
    for (int k = 0; k < n; ++k) {
      point.push(c.out(e, k));
      solved.push(c.out(e, k));
      tangents.push(Context::no_tangent);
    }
    detail::arena<int> const by = c.splice_tangents(e.sub(0), point, tangents);
    for (int k = 0; k < n; ++k) solved.push(by[k] == Context::no_tangent ? c.zeros(e.out_type(k)) : by[k]);
    detail::arena<int> const made = c.splice(e.sub(2), solved);
    for (int k = 0; k < n; ++k)
      if (is_inexact(e.out_type(k).type)) c.set_tangent(e, k, c.neg(made[k]));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    lower_solution(l, e, 1);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const&) {
    o.key("name");
    o.text("_custom_root");
    o.key("call_jaxpr");
    o.block(1);
    o.key("jvp");
    o.text("_root_jvp");
    o.key("symbolic_zeros");
    o.text("False");
  }
};

}  // namespace exprax
