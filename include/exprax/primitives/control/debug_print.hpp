// SPDX-License-Identifier: BSL-1.0
// debug_print (jax.debug.print): when the program runs, writes a text with the values of its operands in place of {}. It has no results. It
// is an effect: passes do not remove, merge or reorder it. Parameter: the index of the text in the table of names.
#pragma once

#include <exprax/primitives/primitive.hpp>

namespace exprax {

template <>
struct primitive<prim::debug_print> {
  static constexpr std::string_view name = "debug_print";
  static constexpr prim_traits traits{.kind = op_class::effect};

  static constexpr std::string_view text(equation_ref const& e) { return e.p.names[e.param(0)].view(); }

  static constexpr bool infer(equation_ref const& e, aval*) {
    return e.n_par() == 1 && e.param(0) >= 0 && e.param(0) < e.p.n.names && e.e.n_out == 0;
  }

  // Machines without a print function ignore it.
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    if constexpr (requires { m.print(e); }) m.print(e);
  }
  // Once for each element of the batch, in order.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const label = c.copy_name(e.param(0));
    c.map(e, {&label, 1});
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    detail::arena<int> in;
    for (int k = 0; k < e.n_in(); ++k) in.push(l.in(e, k));
    l.custom_call("debug_print", text(e), in);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("fmt");
    o.name(e.param(0));
    o.key("has_placeholders");
    o.boolean(true);
    o.key("in_tree");
    o.text("PyTreeDef(((");
    for (int k = 0; k < e.n_in(); ++k) o.text(k == 0 ? "*" : ", *");
    o.text(e.n_in() == 1 ? ",), {}))" : "), {}))");
    o.key("logging_record");
    o.text("None");
    o.key("np_printoptions");
    o.text("(('edgeitems', 3), ('threshold', 1000), ('floatmode', 'maxprec'), ('precision', 8), ('suppress', False), ('linewidth', 75), "
           "('nanstr', 'nan'), ('infstr', 'inf'), ('sign', '-'), ('formatter', None), ('legacy', False))");
    o.key("ordered");
    o.boolean(false);
    o.key("partitioned");
    o.boolean(false);
    o.key("static_args");
    o.text("()");
  }
};

}  // namespace exprax
