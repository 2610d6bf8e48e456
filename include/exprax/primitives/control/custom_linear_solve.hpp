// SPDX-License-Identifier: BSL-1.0
// custom_linear_solve (jax.lax.custom_linear_solve): x with A x = b, computed by a function of the user; its derivatives are further such
// equations. Operands and parameters: solver_call.hpp; the argument is b. Results: x, and what else the function returns. Blocks: matvec,
// solve; or matvec, vecmat, solve, transpose_solve.
#pragma once

#include <exprax/primitives/control/solver_call.hpp>

namespace exprax {

template <>
struct primitive<prim::custom_linear_solve> : detail::solver_call<prim::custom_linear_solve> {
  static constexpr std::string_view name = "custom_linear_solve";

  static constexpr bool can_be_transposed(equation_ref const& e) { return e.e.n_blk == 4; }
  static constexpr int solve_block(equation_ref const& e) { return can_be_transposed(e) ? 2 : 1; }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    return (e.e.n_blk == 2 || e.e.n_blk == 4) && infer_solution(e, solve_block(e), out);
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    expand_solution(c, e, solve_block(e));
  }
  // From A x = b follows A x' = b' - A' x.
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    int const n_consts = first_argument(e), n = e.n_in() - n_consts;
    detail::arena<int> in = values(c, e), point = consts(e, 0, in), tangents;
    detail::arena<aval> out;
    bool matrix_varies = false;
    for (int k = 0; k < e.param(0); ++k) {
      tangents.push(c.tangent(e, k));
      matrix_varies = matrix_varies || c.has_tangent(e, k);
    }
    for (int k = 0; k < n; ++k) {
      in[n_consts + k] = c.tangent_or_zeros(e, n_consts + k);
      point.push(c.out(e, k));
      tangents.push(Context::no_tangent);
    }
    for (int k = 0; k < e.n_out(); ++k) out.push(e.out_type(k));
    if (matrix_varies) {
      detail::arena<int> const more = c.splice_tangents(e.sub(0), point, tangents);
      for (int k = 0; k < n; ++k)
        if (more[k] != Context::no_tangent) in[n_consts + k] = c.sub(in[n_consts + k], more[k]);
    }
    int const first = c.emit(prim::custom_linear_solve, in, e.params(), out, copied_blocks(c, e));
    for (int k = 0; k < n; ++k) c.set_tangent(e, k, first + k);
  }
  // The cotangent of b solves the transposed equation.
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    if (!can_be_transposed(e)) return c.fail(e, mistake::solve_without_a_transpose);
    constexpr int order[] = {1, 0, 3, 2};
    int const n_consts = first_argument(e);
    detail::arena<int> in, par, blocks;
    detail::arena<aval> out;
    for (int i : order) {
      for (int k = 0; k < e.param(i); ++k) in.push(c.in(e, first_const(e, i) + k));
      par.push(e.param(i));
      blocks.push(c.copy_block(e.p.block_id(e.e, i)));
    }
    for (int k = n_consts; k < e.n_in(); ++k) in.push(c.cotangent(e, k - n_consts));
    for (int v : e.p.outs(e.sub(order[2]))) out.push(e.p.type(v));
    int const first = c.emit(prim::custom_linear_solve, in, par, out, blocks);
    for (int k = n_consts; k < e.n_in(); ++k) c.add_cotangent(e, k, first + k - n_consts);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    lower_solution(l, e, solve_block(e));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    constexpr std::string_view all[] = {"matvec", "vecmat", "solve", "transpose_solve"}, forward[] = {"matvec", "solve"};
    auto const each = [&](auto const& print_of) {
      o.text("LinearSolve(");
      for (int i = 0; i < e.e.n_blk; ++i) {
        if (i > 0) o.text(", ");
        o.text(can_be_transposed(e) ? all[i] : forward[i]);
        o.text("=");
        print_of(i);
      }
      o.text(")");
    };
    o.key("const_lengths");
    each([&](int i) { o.integer(e.param(i)); });
    o.key("jaxprs");
    each([&](int i) { o.block(i); });
  }
};

}  // namespace exprax
