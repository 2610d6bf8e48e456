// SPDX-License-Identifier: BSL-1.0
// slice (jax.lax.slice): a box of the operand, with a step for each axis. Parameters: start of each axis, limit of each
// axis, and, if one is not 1, the stride of each axis.
#pragma once

#include <exprax/primitives/movement/affine_read.hpp>

namespace exprax {

template <>
struct primitive<prim::slice> : detail::affine_read<prim::slice> {
  static constexpr std::string_view name = "slice";

  static constexpr int start(equation_ref const& e, int axis) { return e.param(axis); }
  static constexpr int limit(equation_ref const& e, int axis) { return e.param(e.type(0).rank + axis); }
  static constexpr bool has_strides(equation_ref const& e) { return e.n_par() > 2 * e.type(0).rank; }
  static constexpr int stride(equation_ref const& e, int axis) { return has_strides(e) ? e.param(2 * e.type(0).rank + axis) : 1; }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1) return false;
    int const rank = e.type(0).rank;
    if (e.n_par() != 2 * rank && e.n_par() != 3 * rank) return false;
    *out = e.type(0);
    for (int i = 0; i < rank; ++i) {
      int const first = start(e, i), last = limit(e, i), step = stride(e, i);
      if (first < 0 || last < first || last > out->dims[i] || step < 1) return false;
      out->dims[i] = (last - first + step - 1) / step;
    }
    return true;
  }
  static constexpr detail::index_map operand_index(equation_ref const& e) {
    detail::index_map m;
    m.rank = e.type(0).rank;
    for (int i = 0; i < m.rank; ++i) m.of[i] = {i, start(e, i), stride(e, i)};
    return m;
  }
  static constexpr bool unbatch(equation_ref const& e, detail::span<batch_axis> in, int size, batch_axis& out, detail::arena<int>& par) {
    int const d = in[0].position(), rank = e.type(0).rank;
    out = d;
    if (start(e, d) != 0 || limit(e, d) != size || stride(e, d) != 1) return false;
    for (int i = 0; i < e.n_par(); ++i)
      if (i % rank != d) par.push(e.param(i));
    return true;
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0).position(), v = c.value(e, 0), rank = e.type(0).rank;
    detail::int_list par;
    for (int part = 0; part * rank < e.n_par(); ++part) {
      int const whole[] = {0, c.size(), 1};
      for (int i = 0; i <= rank; ++i) {
        if (i == d) par.push(whole[part]);
        if (i < rank) par.push(e.param(part * rank + i));
      }
    }
    c.replace(e, {&v, 1}, {par.of, par.n}, d);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    aval const &in = e.type(0), &out = e.out_type(0);
    detail::int_list low, high, interior;
    for (int i = 0; i < in.rank; ++i) {
      int const last = out.dims[i] == 0 ? start(e, i) : start(e, i) + (out.dims[i] - 1) * stride(e, i) + 1;
      low.push(start(e, i));
      high.push(in.dims[i] - last);
      interior.push(stride(e, i) - 1);
    }
    c.add_cotangent(e, 0, c.pad(c.cotangent(e), c.literal(in.type, 0), {low.of, in.rank}, {high.of, in.rank}, {interior.of, in.rank}));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int const rank = e.type(0).rank;
    detail::int_list stride;
    for (int i = 0; i < rank; ++i) stride.push(primitive::stride(e, i));
    l.set(e, 0, l.slice(l.in(e, 0), e.params().part(0, rank), e.params().part(rank, rank), {stride.of, stride.n}, e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    int const rank = e.type(0).rank;
    o.key("limit_indices");
    o.tuple(e.params().part(rank, rank));
    o.key("start_indices");
    o.tuple(e.params().part(0, rank));
    o.key("strides");
    if (has_strides(e)) o.tuple(e.params().part(2 * rank, rank));
    else o.text("None");
  }
};

}  // namespace exprax
