// SPDX-License-Identifier: BSL-1.0
// squeeze (jax.lax.squeeze): drops axes of one element. Parameters: the axes.
#pragma once

#include <exprax/primitives/movement/affine_read.hpp>

namespace exprax {

template <>
struct primitive<prim::squeeze> : detail::affine_read<prim::squeeze> {
  static constexpr std::string_view name = "squeeze";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1) return false;
    aval const& in = e.type(0);
    if (!detail::are_axes(e.params().data(), e.n_par(), in.rank)) return false;
    *out = aval(in.type, in.weak);
    for (int i = 0; i < in.rank; ++i) {
      if (!detail::contains(e.params().data(), e.n_par(), i)) out->dims[out->rank++] = in.dims[i];
      else if (in.dims[i] != 1) return false;
    }
    return true;
  }
  static constexpr detail::index_map operand_index(equation_ref const& e) { return detail::between_unit_axes(e.type(0), e.out_type(0)); }
  static constexpr bool unbatch(equation_ref const& e, detail::span<batch_axis> in, int, batch_axis& out, detail::arena<int>& par) {
    return detail::unbatch_axes(e, in[0].position(), true, out, par);
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const v = c.move(c.value(e, 0), c.dim(e, 0).position(), 0);
    detail::int_list axes;
    for (int axis : e.params()) axes.push(axis + 1);
    c.replace(e, {&v, 1}, {axes.of, axes.n}, 0);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.add_cotangent(e, 0, c.reshape(c.cotangent(e), e.type(0)));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.reshape(l.in(e, 0), e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("dimensions");
    o.tuple(e.params());
  }
};

}  // namespace exprax
