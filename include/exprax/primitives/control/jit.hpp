// SPDX-License-Identifier: BSL-1.0
// jit (jax.jit inside a traced function): a call of a block. Captured values come first among the operands. Parameter: the index of its
// name. One block.
#pragma once

#include <exprax/primitives/control/signature.hpp>

namespace exprax {

template <>
struct primitive<prim::jit> {
  static constexpr std::string_view name = "jit";
  static constexpr prim_traits traits{.kind = op_class::control};

  static constexpr control_signature signature(equation_ref const& e) {
    control_signature s;
    s.n_const[0] = s.first_carry = e.n_in();
    return s;
  }
  static constexpr detail::arena<int> parameters_for(equation_ref const& e, detail::span<char>, detail::span<char>) {
    return detail::parameters_of(e);
  }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.e.n_blk != 1 || e.n_par() != 1 || e.param(0) < 0 || e.param(0) >= e.p.n.names) return false;
    block const& b = e.sub(0);
    if (b.n_in != e.n_in()) return false;
    for (int k = 0; k < b.n_in; ++k)
      if (!e.p.type(e.p.ins(b)[k]).matches(e.type(k))) return false;
    for (int k = 0; k < b.n_out; ++k) out[k] = e.p.type(e.p.outs(b)[k]);
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    block const& b = e.sub(0);
    for (int k = 0; k < b.n_in; ++k) m.bind(b, k, m.in(e, k));
    m.run(b);
    for (int k = 0; k < b.n_out; ++k) {
      std::ptrdiff_t const n = e.out_type(k).size();
      for (std::ptrdiff_t i = 0; i < n; ++i) m.out(e, k)[i] = m.result(b, k)[i];
    }
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    detail::arena<int> in;
    detail::arena<batch_axis> dims, out_dims;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      in.push(c.value(e, k));
      dims.push(c.dim(e, k));
    }
    out_dims.resize(e.n_out());
    int const body = c.batch_block(e.p.block_id(e.e, 0), dims, {}, out_dims.data());
    for (int k = 0; k < e.n_out(); ++k)
      out.push(out_dims[k].is_mapped() ? e.out_type(k).with_axis(out_dims[k].position(), c.size()) : e.out_type(k));
    int const label = c.copy_name(e.param(0));
    int const first = c.emit(prim::jit, in, {&label, 1}, out, {&body, 1});
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, out_dims[k]);
  }
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    auto const m = c.tangent_marks(e);
    int const in_groups[] = {e.n_in()}, out_groups[] = {e.n_out()}, no_name[] = {0};
    int const block = c.block_with_tangents(e.p.block_id(e.e, 0), m.operands, m.results, in_groups, out_groups);
    detail::arena<int> in;
    c.push_operands(e, 0, e.n_in(), m.operands, in);
    int const first = c.emit(prim::jit, in, no_name, c.result_types(e, m.results, out_groups), {&block, 1});
    c.keep_name(e);
    c.set_results(e, first, m.results, out_groups);
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
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.transpose_call(e, 0);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.call(e);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("name");
    o.name(e.param(0));
    o.key("jaxpr");
    o.block(0);
  }
};

}  // namespace exprax
