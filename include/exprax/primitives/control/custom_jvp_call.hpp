// SPDX-License-Identifier: BSL-1.0
// custom_jvp_call (jax.custom_jvp): a function with a rule for its derivative. Parameter: its name. Blocks: the function, and its rule, in
// one of these forms:
//   operands, their tangents -> results, their tangents
//   operands, results, tangents of the operands -> tangents of the results: the equation stays, so the next derivative takes the rule again
//   no rule: a function of the elements of real operands of one shape; the tangent is the sum of its slopes, each times a tangent
// Tangents of integers are bools.
#pragma once

#include <exprax/primitives/control/signature.hpp>

namespace exprax {

namespace detail {

// Tangents of integers are bools.
constexpr aval tangent_type(aval const& t) { return is_inexact(t.type) ? t : t.with_type(dtype::b1, false); }
template <class Context>
constexpr int tangent_or_bools(Context& c, equation_ref const& e, int k) {
  return is_inexact(e.type(k).type) ? c.tangent_or_zeros(e, k) : c.zeros(tangent_type(e.type(k)));
}

// A call of a function with rules for its derivatives; block 0 is the function.
template <prim P>
struct custom_call {
  static constexpr prim_traits traits{.kind = op_class::composite, .jvp_makes_results = true};

  static constexpr bool infer_call(equation_ref const& e, aval* out) {
    return e.sub(0).n_out == e.n_out() && detail::infer_call(e, out);
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    arena<int> results;
    results.resize(e.n_out());
    c.splice(e, 0, c.ins(e), results.data());
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, results[k]);
  }
  // All operands get the batch axis in front; results have it there.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    arena<int> in, blocks;
    arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) in.push(c.at_front(c.value(e, k), c.dim(e, k), c.size()));
    for (int k = 0; k < e.n_out(); ++k) out.push(e.out_type(k).with_axis(0, c.size()));
    for (int id : e.p.subs(e.e)) {
      arena<batch_axis> dims;
      arena<wanted_axis> want;
      dims.resize(e.p.blocks[id].n_in, batch_axis(0));
      want.resize(e.p.blocks[id].n_out, batch_axis(0));
      blocks.push(c.batch_block(id, dims, want));
    }
    arena<int> par = parameters_of(e);
    par[0] = c.copy_name(e.param(0));
    int const first = c.emit(P, in, par, out, blocks);
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, batch_axis(0));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.inlined(e);
  }
};

}  // namespace detail

template <>
struct primitive<prim::custom_jvp_call> : detail::custom_call<prim::custom_jvp_call> {
  static constexpr std::string_view name = "custom_jvp_call";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    return (e.e.n_blk == 2 || is_by_elements(e)) && e.n_par() == 1 && infer_call(e, out);
  }
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    if (e.e.n_blk == 1) return jvp_by_slopes(c, e);
    bool const has_results = rule_has_results(e);
    if (has_results) c.keep(e);
    detail::arena<int> in;
    for (int k = 0; k < e.n_in(); ++k) in.push(c.in(e, k));
    for (int k = 0; k < e.n_out() && has_results; ++k) in.push(c.out(e, k));
    for (int k = 0; k < e.n_in(); ++k) in.push(detail::tangent_or_bools(c, e, k));
    detail::arena<int> const made = c.splice(e.sub(1), in);
    int const first = has_results ? 0 : e.n_out();
    for (int k = 0; k < e.n_out(); ++k)
      c.set(e, k, has_results ? c.out(e, k) : made[k], is_inexact(e.out_type(k).type) ? made[first + k] : Context::no_tangent);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("name");
    o.name(e.param(0));
    o.key("call_jaxpr");
    o.block(0);
    o.key("jvp");
    o.text("jvp");
    o.key("symbolic_zeros");
    o.text("False");
  }

 private:
  static constexpr bool rule_has_results(equation_ref const& e) { return e.sub(1).n_out == e.n_out(); }
  static constexpr bool is_by_elements(equation_ref const& e) {
    if (e.e.n_blk != 1) return false;
    for (int k = 0; k < e.n_in() + e.n_out(); ++k) {
      aval const& t = k < e.n_in() ? e.type(k) : e.out_type(k - e.n_in());
      if (!is_inexact(t.type) || is_complex(t.type) || !t.same_shape(e.type(0))) return false;
    }
    return true;
  }
  // The slope by operand k: the tangent of the function, where that of the operand is 1.
  template <class Context>
  static constexpr void jvp_by_slopes(Context& c, equation_ref const& e) {
    detail::arena<int> in;
    detail::arena<aval> out;
    c.keep(e);
    for (int k = 0; k < e.n_in(); ++k) in.push(c.in(e, k));
    for (int k = 0; k < e.n_out(); ++k) out.push(detail::tangent_type(e.out_type(k)));
    for (int k = 0; k < e.n_in(); ++k) {
      if (!c.has_tangent(e, k)) continue;
      int const id = c.block_of_slopes(e.p.block_id(e.e, 0), k);
      int const slopes = c.emit(prim::custom_jvp_call, in, e.params(), out, {&id, 1});
      c.keep_name(e);
      for (int r = 0; r < e.n_out(); ++r) c.add_tangent(e, c.mul(slopes + r, c.tangent(e, k)), r);
    }
  }
};

}  // namespace exprax
