// SPDX-License-Identifier: BSL-1.0
// rev (jax.lax.rev): reverses the order along some axes. Parameters: the axes.
#pragma once

#include <exprax/primitives/movement/affine_read.hpp>

namespace exprax {

template <>
struct primitive<prim::rev> : detail::affine_read<prim::rev> {
  static constexpr std::string_view name = "rev";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || !detail::are_axes(e.params().data(), e.n_par(), e.type(0).rank)) return false;
    *out = e.type(0);
    return true;
  }
  static constexpr detail::index_map operand_index(equation_ref const& e) {
    detail::index_map m;
    m.rank = e.type(0).rank;
    for (int i = 0; i < m.rank; ++i) m.of[i] = {i, 0, 1};
    for (int axis : e.params()) m.of[axis] = {axis, e.type(0).dims[axis] - 1, -1};
    return m;
  }
  static constexpr bool unbatch(equation_ref const& e, detail::span<batch_axis> in, int, batch_axis& out, detail::arena<int>& par) {
    return detail::unbatch_axes(e, in[0].position(), false, out, par);
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0).position(), v = c.value(e, 0);
    detail::int_list axes;
    for (int axis : e.params()) axes.push(axis < d ? axis : axis + 1);
    c.replace(e, {&v, 1}, {axes.of, axes.n}, d);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.add_cotangent(e, 0, c.rev(c.cotangent(e), e.params()));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.reverse(l.in(e, 0), e.params()));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("dimensions");
    o.tuple(e.params());
  }
};

}  // namespace exprax
