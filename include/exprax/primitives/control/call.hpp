// SPDX-License-Identifier: BSL-1.0
// Base of the primitives that call their block once, on all operands: jit.hpp and checkpoint.hpp.
#pragma once

#include <exprax/primitives/control/signature.hpp>

namespace exprax::detail {

template <prim P>
struct call_family {
  static constexpr prim_traits traits{.kind = op_class::control};

  static constexpr control_signature signature(equation_ref const& e) {
    control_signature s;
    s.n_const[0] = s.first_carry = e.n_in();
    return s;
  }
  static constexpr arena<int> parameters_for(equation_ref const& e, span<char>, span<char>) { return parameters_of(e); }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    evaluate_call(m, e, e.sub(0), 0);
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    arena<int> in;
    arena<batch_axis> dims, out_dims;
    arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      in.push(c.value(e, k));
      dims.push(c.dim(e, k));
    }
    out_dims.resize(e.n_out());
    int const body = c.batch_block(e.p.block_id(e.e, 0), dims, {}, out_dims.data());
    for (int k = 0; k < e.n_out(); ++k)
      out.push(out_dims[k].is_mapped() ? e.out_type(k).with_axis(out_dims[k].position(), c.size()) : e.out_type(k));
    arena<int> par = parameters_of(e);
    if constexpr (has_name(P)) par[0] = c.copy_name(e.param(0));
    int const first = c.emit(P, in, par, out, {&body, 1});
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, out_dims[k]);
  }
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    auto const m = c.tangent_marks(e);
    int const in_groups[] = {e.n_in()}, out_groups[] = {e.n_out()};
    int const block = c.block_with_tangents(e.p.block_id(e.e, 0), m.operands, m.results, in_groups, out_groups);
    arena<int> in;
    c.push_operands(e, 0, e.n_in(), m.operands, in);
    // Donated operands are those of the call alone.
    span<int> const par = has_name(P) ? e.params().part(0, 1) : e.params();
    int const first = c.emit(P, in, par, c.result_types(e, m.results, out_groups), {&block, 1});
    if constexpr (has_name(P)) c.keep_name(e);
    c.set_results(e, first, m.results, out_groups);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.transpose_call(e, 0);
  }
};

}  // namespace exprax::detail
