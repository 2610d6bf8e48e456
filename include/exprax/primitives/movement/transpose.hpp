// SPDX-License-Identifier: BSL-1.0
// transpose (jax.lax.transpose): axis i of the result is axis permutation[i] of the operand. Parameters: the permutation.
#pragma once

#include <exprax/primitives/movement/affine_read.hpp>

namespace exprax {

template <>
struct primitive<prim::transpose> : detail::affine_read<prim::transpose> {
  static constexpr std::string_view name = "transpose";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != e.type(0).rank || !detail::are_axes(e.params().data(), e.n_par(), e.n_par())) return false;
    *out = aval(e.type(0).type, e.type(0).weak);
    for (int axis : e.params()) out->dims[out->rank++] = e.type(0).dims[axis];
    return true;
  }
  static constexpr detail::index_map operand_index(equation_ref const& e) {
    detail::index_map m;
    m.rank = e.n_par();
    for (int i = 0; i < e.n_par(); ++i) m.of[e.param(i)] = {i, 0, 1};
    return m;
  }
  static constexpr bool unbatch(equation_ref const& e, detail::span<batch_axis> in, int, batch_axis& out, detail::arena<int>& par) {
    for (int i = 0; i < e.n_par(); ++i) {
      if (e.param(i) == in[0].position()) out = i;
      else par.push(e.param(i) - (e.param(i) > in[0].position()));
    }
    return true;
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0).position();
    detail::int_list permutation;
    permutation.push(d);
    for (int axis : e.params()) permutation.push(axis < d ? axis : axis + 1);
    c.set(e, 0, c.transpose(c.value(e, 0), {permutation.of, permutation.n}), 0);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int inverse[max_rank] = {};
    for (int i = 0; i < e.n_par(); ++i) inverse[e.param(i)] = i;
    c.add_cotangent(e, 0, c.transpose(c.cotangent(e), {inverse, e.n_par()}));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.transpose(l.in(e, 0), e.params(), e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("permutation");
    o.tuple(e.params());
  }
};

}  // namespace exprax
