// SPDX-License-Identifier: BSL-1.0
// add_any (jax.interpreters.ad.add_jaxvals): a + b, of two contributions to a tangent or to a cotangent.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::add_any> : detail::elementwise_rules {
  static constexpr std::string_view name = "add_any";
  static constexpr std::string_view stablehlo = "add";
  static constexpr prim_traits traits{.kind = op_class::composite, .arity = 2, .linear_in = all_operands};
  static constexpr bool infer(equation_ref const& e, aval* out) {
    return e.n_in() == 2 && e.n_par() == 0 && detail::join_operands(e, out) && detail::is_number(out->type);
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    c.set(e, 0, c.add(c.in(e, 0), c.in(e, 1)));
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    for (int k = 0; k < 2; ++k)
      if (c.is_linear(e, k)) c.add_cotangent(e, k, c.cotangent(e));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.elementwise(e, stablehlo);
  }
};

}  // namespace exprax
