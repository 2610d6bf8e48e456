// SPDX-License-Identifier: BSL-1.0
// split (jax.lax.split): consecutive parts along one axis, one result each. Parameters: the axis, then the size of each part; the sizes add
// up to that of the axis.
#pragma once

#include <exprax/primitives/primitive.hpp>

namespace exprax {

template <>
struct primitive<prim::split> {
  static constexpr std::string_view name = "split";
  static constexpr prim_traits traits{.kind = op_class::composite, .linear_in = first_operand};

  static constexpr int axis(equation_ref const& e) { return e.param(0); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() < 1 || e.n_out() != e.n_par() - 1 || axis(e) < 0 || axis(e) >= e.type(0).rank) return false;
    int total = 0;
    for (int k = 0; k < e.n_out(); ++k) {
      int const size = e.param(1 + k);
      if (size < 0) return false;
      total += size;
      out[k] = e.type(0);
      out[k].dims[axis(e)] = size;
    }
    return total == e.type(0).dims[axis(e)];
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    for (int k = 0, at = 0; k < e.n_out(); at += e.param(1 + k++)) c.set(e, k, c.slice_axis(c.in(e, 0), axis(e), at, at + e.param(1 + k)));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0).position(), v = c.value(e, 0);
    detail::arena<int> par;
    detail::arena<aval> out;
    par.push(axis(e) + (d <= axis(e)));
    for (int k = 0; k < e.n_out(); ++k) {
      par.push(e.param(1 + k));
      out.push(e.out_type(k).with_axis(d, c.size()));
    }
    int const first = c.emit(prim::split, {&v, 1}, par, out, {});
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, d);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    detail::arena<int> parts;
    for (int k = 0; k < e.n_out(); ++k) parts.push(c.cotangent(e, k));
    c.add_cotangent(e, 0, c.concatenate(parts, axis(e)));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int const rank = e.type(0).rank;
    int start[max_rank] = {}, limit[max_rank] = {}, step[max_rank] = {};
    for (int i = 0; i < rank; ++i) {
      limit[i] = e.type(0).dims[i];
      step[i] = 1;
    }
    limit[axis(e)] = 0;
    for (int k = 0; k < e.n_out(); ++k) {
      start[axis(e)] = limit[axis(e)];
      limit[axis(e)] += e.param(1 + k);
      l.set(e, k, l.slice(l.in(e, 0), {start, rank}, {limit, rank}, {step, rank}, e.out_type(k)));
    }
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("axis");
    o.integer(axis(e));
    o.key("sizes");
    o.tuple(e.params().part(1, e.n_out()));
  }
};

}  // namespace exprax
