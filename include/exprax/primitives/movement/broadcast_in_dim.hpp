// SPDX-License-Identifier: BSL-1.0
// broadcast_in_dim (jax.lax.broadcast_in_dim): axis i of the operand becomes axis broadcast_dimensions[i] of the result, and
// is repeated if it has one element; other axes of the result repeat the operand.
// Parameters: the shape of the result, broadcast_dimensions (strictly increasing).
#pragma once

#include <exprax/primitives/movement/affine_read.hpp>

namespace exprax {

template <>
struct primitive<prim::broadcast_in_dim> : detail::affine_read<prim::broadcast_in_dim> {
  static constexpr std::string_view name = "broadcast_in_dim";

  static constexpr int out_rank(equation_ref const& e) { return e.n_par() - e.type(0).rank; }
  static constexpr int dimension(equation_ref const& e, int axis) { return e.param(out_rank(e) + axis); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1) return false;
    aval const& in = e.type(0);
    int const rank = out_rank(e);
    if (rank < 0 || rank > max_rank) return false;
    *out = aval(in.type, in.weak);
    out->rank = rank;
    for (int i = 0; i < rank; ++i) {
      if (e.param(i) < 0) return false;
      out->dims[i] = e.param(i);
    }
    for (int i = 0; i < in.rank; ++i) {
      int const d = dimension(e, i);
      if (d < 0 || d >= rank || (i > 0 && d <= dimension(e, i - 1))) return false;
      if (in.dims[i] != 1 && in.dims[i] != out->dims[d]) return false;
    }
    return true;
  }
  static constexpr detail::index_map operand_index(equation_ref const& e) {
    aval const &in = e.type(0), &out = e.out_type(0);
    detail::index_map m;
    m.rank = in.rank;
    for (int i = 0; i < in.rank; ++i)
      if (in.dims[i] == out.dims[dimension(e, i)]) m.of[i] = {dimension(e, i), 0, 1};
    return m;
  }
  // An operand that is the same for all rows may be repeated along the axis.
  static constexpr bool unbatch(equation_ref const& e, detail::span<batch_axis> in, int size, batch_axis& out, detail::arena<int>& par) {
    int const operand_axis = in[0].parameter(), rank = out_rank(e);
    auto const is_repeated = [&](int d) { return e.param(d) == size && !detail::contains(e.params().data() + rank, e.type(0).rank, d); };
    for (int d = 0; d < rank && !in[0].is_mapped() && !out.is_mapped(); ++d)
      if (is_repeated(d)) out = d;
    if (in[0].is_mapped()) out = dimension(e, operand_axis);
    for (int i = 0; i < rank; ++i)
      if (i != out.parameter()) par.push(e.param(i));
    for (int i = 0; i < e.type(0).rank; ++i)
      if (i != operand_axis) par.push(dimension(e, i) - (out.is_mapped() && dimension(e, i) > out.position()));
    return true;
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const v = c.move(c.value(e, 0), c.dim(e, 0).position(), 0);
    detail::int_list par;
    par.push(c.size());
    for (int i = 0; i < out_rank(e); ++i) par.push(e.param(i));
    par.push(0);
    for (int i = 0; i < e.type(0).rank; ++i) par.push(dimension(e, i) + 1);
    c.replace(e, {&v, 1}, {par.of, par.n}, 0);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    aval const &in = e.type(0), &out = e.out_type(0);
    detail::int_list axes, places, kept;
    for (int i = 0; i < in.rank; ++i) {
      if (in.dims[i] == 1) continue;
      kept.push(dimension(e, i));
      places.push(i);
    }
    for (int i = 0; i < out.rank; ++i)
      if (!detail::contains(kept.of, kept.n, i)) axes.push(i);
    int const ct = c.cotangent(e), sum = axes.n == 0 ? ct : c.reduce(prim::reduce_sum, ct, {axes.of, axes.n});
    c.add_cotangent(e, 0, c.type(sum).rank == in.rank ? sum : c.broadcast(sum, in, {places.of, places.n}));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.broadcast_in_dim(l.in(e, 0), e.out_type(0), e.params().part(out_rank(e), e.type(0).rank)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    if (e.type(0).rank == 0) return;
    o.key("broadcast_dimensions");
    o.tuple(e.params().part(out_rank(e), e.type(0).rank));
  }
};

}  // namespace exprax
