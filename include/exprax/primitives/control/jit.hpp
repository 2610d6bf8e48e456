// SPDX-License-Identifier: BSL-1.0
// jit (jax.jit inside a traced function): a call of a block. Captured values come first among the operands. Parameters: the index of its
// name; the operands that are donated, which texts show. One block.
#pragma once

#include <exprax/primitives/control/call.hpp>
#include <exprax/primitives/walk.hpp>

namespace exprax {

template <>
struct primitive<prim::jit> : detail::call_family<prim::jit> {
  static constexpr std::string_view name = "jit";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    for (int k = 1; k < e.n_par(); ++k)
      if (e.param(k) < 0 || e.param(k) >= e.n_in()) return false;
    return e.n_par() >= 1 && e.param(0) >= 0 && e.param(0) < e.p.n.names && e.e.n_blk == 1 && detail::infer_call(e, out);
  }
  template <class Context>
  static constexpr void partial_eval(Context& c, equation_ref const& e) {
    auto const m = c.unknown_marks(e);
    detail::arena<char> passes;
    passes.resize(e.n_in(), 1);
    auto const s = c.split(e.p.block_id(e.e, 0), m.operands, m.results, passes);
    int const no_name[] = {0};
    detail::arena<int> in, rest_in;
    detail::arena<aval> out, rest_out;
    for (int k = 0; k < e.n_in(); ++k) {
      if (m.operands[k]) rest_in.push(c.rest_in(e, k));
      else in.push(c.known_in(e, k));
    }
    for (int k = 0; k < e.n_out(); ++k) (m.results[k] ? rest_out : out).push(e.out_type(k));
    int const n_known = out.size();
    out.append(s.stored);
    int const first = c.write(c.known(), e, in, no_name, out, {&s.known, 1});
    for (int i = 0; i < s.source.size(); ++i) rest_in.push(c.residual_operand(e, signature(e), 0, s, i, first + n_known));
    c.set_results(e, m.results, first, c.write(c.rest(), e, rest_in, no_name, rest_out, {&s.rest, 1}));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.call(e);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("name");
    o.name(e.param(0));
    if (e.n_par() > 1) print_donated(o, e);
    o.key("jaxpr");
    o.block(0);
  }

 private:
  template <class Printer>
  static constexpr void print_donated(Printer& o, equation_ref const& e) {
    o.key("donated_invars");
    o.text("(");
    for (int k = 0; k < e.n_in(); ++k) {
      if (k > 0) o.text(", ");
      o.boolean(detail::contains(e.params().first + 1, e.n_par() - 1, k));
    }
    o.text(e.n_in() == 1 ? ",)" : ")");
  }
};

}  // namespace exprax
