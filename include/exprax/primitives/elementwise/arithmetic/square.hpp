// SPDX-License-Identifier: BSL-1.0
// square (jax.lax.square): x * x, of every number dtype.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::square> : detail::elementwise_rules {
  static constexpr std::string_view name = "square";
  static constexpr prim_traits traits{.kind = op_class::composite};
  static constexpr bool infer(equation_ref const& e, aval* out) {
    return e.n_in() == 1 && e.n_par() == 0 && detail::join_operands(e, out) && detail::is_number(out->type);
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    c.set(e, 0, c.elementwise(prim::mul, c.in(e, 0), c.in(e, 0)));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int const x = l.in(e, 0);
    if (is_integer(e.type(0).type)) l.set(e, 0, l.like("multiply", x, x));
    else l.elementwise(e, "chlo.square");
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    return c.mul(t, c.mul(c.number_like(x, 2), x));
  }
};

}  // namespace exprax
