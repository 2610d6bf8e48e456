// SPDX-License-Identifier: BSL-1.0
// custom_lin (jax.interpreters.ad.custom_lin_p): the tangents of a custom_vjp_call. Operands: residuals, then a tangent of each of its
// operands. Parameter: the number of residuals. Block: backward (custom_vjp_call.hpp). Only its transposed map is known: forward mode is an
// error.
#pragma once

#include <exprax/primitives/control/custom_jvp_call.hpp>

namespace exprax {

template <>
struct primitive<prim::custom_lin> {
  static constexpr std::string_view name = "custom_lin";
  static constexpr prim_traits traits{.kind = op_class::composite};

  static constexpr int num_residuals(equation_ref const& e) { return e.param(0); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.e.n_blk != 1 || e.n_par() != 1) return false;
    block const& b = e.sub(0);
    for (int k = num_residuals(e); k < b.n_in; ++k) out[k - num_residuals(e)] = e.p.type(e.p.ins(b)[k]);
    return true;
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, c.zeros(e.out_type(k)));
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    detail::arena<int> in;
    for (int k = 0; k < num_residuals(e); ++k) in.push(c.in(e, k));
    for (int k = 0; k < e.n_out(); ++k) in.push(c.cotangent(e, k));
    detail::arena<int> const made = c.splice(e.sub(0), in);
    for (int k = 0; k < made.size(); ++k)
      if (c.is_linear(e, num_residuals(e) + k)) c.add_cotangent(e, num_residuals(e) + k, made[k]);
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, c.zeros(e.out_type(k)), not_mapped);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    for (int k = 0; k < e.n_out(); ++k) l.set(e, k, l.full(e.out_type(k), 0));
  }
  template <class Printer>
  static constexpr void print(Printer&, equation_ref const&) {}
};

}  // namespace exprax
