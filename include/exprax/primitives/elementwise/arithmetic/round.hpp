// SPDX-License-Identifier: BSL-1.0
// round (jax.lax.round): to the nearest integer. Parameter: rounding_method, for ties: 0 (AWAY_FROM_ZERO), 1 (TO_NEAREST_EVEN).
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::round> : detail::elementwise_rules {
  static constexpr std::string_view name = "round";
  static constexpr prim_traits traits{.kind = op_class::composite, .is_locally_constant = true};
  static constexpr bool infer(equation_ref const& e, aval* out) {
    return e.n_in() == 1 && e.n_par() == 1 && (e.param(0) == 0 || e.param(0) == 1) && detail::join_operands(e, out) &&
           is_floating(out->type);
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    c.set(e, 0, c.elementwise(e.param(0) == 0 ? prim::round_nearest_afz : prim::round_nearest_even, c.in(e, 0)));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.elementwise(e, e.param(0) == 0 ? "round_nearest_afz" : "round_nearest_even");
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("rounding_method");
    o.integer(e.param(0));
  }
};

}  // namespace exprax
