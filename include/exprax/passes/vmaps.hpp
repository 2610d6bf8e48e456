// SPDX-License-Identifier: BSL-1.0
// How the rewriter rewrites a vmap equation that stays. Equations that are the same for each row are hoisted; operands that repeat a value
// along all mapped axes are replaced by that value; results that are the same for each row are repeated outside.
#pragma once

#include <exprax/passes/rewrite/repeated_rows.hpp>
#include <exprax/primitives/control/vmap.hpp>

namespace exprax::detail {

template <class W>
constexpr void rewrite_vmap(W& w, eqn const& e) {
  program_ref const& p = w.source();
  block const& b = p.sub(e, 0);
  span<int> const par = p.params_of(e), inputs = p.ins(b);
  int const n_axes = par[0];
  arena<int> const in = w.operands(p.ins(e));
  auto const dims_of = [&](int k) { return par.part(1 + n_axes * (1 + k), n_axes); };  // of operand k, or result k - n_in
  auto const is_mapped = [](span<int> dims) {
    for (int d : dims)
      if (batch_axis::from_parameter(d).is_mapped()) return true;
    return false;
  };

  int const barrier = w.open(false), inside = w.depth();
  arena<int> given, rows;  // inputs of the new block, and their operands
  for (int k = 0; k < e.n_in; ++k) {
    int row = is_mapped(dims_of(k)) ? repeated_row(w, w.type_in(inputs[k]), in[k], dims_of(k)) : in[k];
    if (row < 0) {
      row = w.input(w.type_in(inputs[k]));
      given.push(row);
      rows.push(k);
    }
    w.bind(inputs[k], row);
  }
  w.walk(b);
  arena<int> out, results, outside;  // outside: for each result the outer value that it repeats, or -1
  for (int k = 0; k < e.n_out; ++k) {
    int const v = w.operand(p.outs(b)[k]);
    outside.push(w.level_of(v) < inside || w.is_constant(v) ? v : -1);
    if (outside[k] >= 0) continue;
    out.push(v);
    results.push(e.out + k);
  }
  closed_scope const c = w.close(out, barrier);
  if (!results.empty()) {
    arena<int> operands, its = c.inputs, params;
    for (int i = 0; i <= n_axes; ++i) params.push(par[i]);
    for (int v : c.captured) {
      operands.push(v);
      for (int a = 0; a < n_axes; ++a) params.push(not_mapped.parameter());
    }
    for (int i = 0; i < rows.size(); ++i) {
      operands.push(in[rows[i]]);
      its.push(given[i]);
      for (int d : dims_of(rows[i])) params.push(d);
    }
    for (int v : results)
      for (int d : dims_of(e.n_in + v - e.out)) params.push(d);
    w.set_inputs(c.id, its);
    w.set_outputs(c.id, out);
    w.add_control(e, operands, params, {&c.id, 1}, results, false);
  }
  for (int k = 0; k < e.n_out; ++k)
    if (outside[k] >= 0) w.bind(e.out + k, repeated(w, w.type_in(e.out + k), outside[k], dims_of(e.n_in + k)));
}

}  // namespace exprax::detail
