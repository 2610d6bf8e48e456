// SPDX-License-Identifier: BSL-1.0
// Family of the primitives that return their operand: they matter in jaxprs and for derivatives.
#pragma once

#include <exprax/primitives/primitive.hpp>

namespace exprax::detail {

template <prim P>
struct identity_family {
  static constexpr prim_traits traits{.kind = op_class::composite};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_out() != 1 || e.n_par() != 0) return false;
    *out = e.type(0);
    return true;
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    c.set(e, 0, c.in(e, 0));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    c.apply(e);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.in(e, 0));
  }
  template <class Printer>
  static constexpr void print(Printer&, equation_ref const&) {}
};

}  // namespace exprax::detail
