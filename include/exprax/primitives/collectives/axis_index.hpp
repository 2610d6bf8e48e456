// SPDX-License-Identifier: BSL-1.0
// axis_index (jax.lax.axis_index): the index along a named mapped axis, an i32 scalar. No operands. Parameter: the name.
#pragma once

#include <exprax/primitives/collectives/collective.hpp>

namespace exprax {

template <>
struct primitive<prim::axis_index> : detail::collective {
  static constexpr std::string_view name = "axis_index";
  static constexpr bool spreads(bool over, bool) { return over; }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    *out = aval(dtype::i32);
    return e.n_in() == 0 && e.n_par() > 0;
  }
  // Called only for its own axis.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const par[] = {static_cast<int>(dtype::i32), 0, c.size()};
    c.set(e, 0, c.emit(prim::iota, {}, par, aval(dtype::i32, {c.size()})), 0);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    print_axis(o, e, false);
  }
};

}  // namespace exprax
