// SPDX-License-Identifier: BSL-1.0
// top_k (jax.lax.top_k): the k largest elements along an axis, the largest first, and their indices, the lowest first among
// equal ones. Floats in total order, as XLA compares them: NaN is the largest, -NaN the smallest, -0 < 0.
// Parameters: k, the axis, is_stable.
#pragma once

#include <exprax/primitives/sorting/sort.hpp>

namespace exprax {

template <>
struct primitive<prim::top_k> {
  static constexpr std::string_view name = "top_k";
  static constexpr prim_traits traits{.kind = op_class::composite};

  static constexpr int count(equation_ref const& e) { return e.param(0); }
  static constexpr int axis(equation_ref const& e) { return e.param(1); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_out() != 2 || e.n_par() != 3) return false;
    aval t = e.type(0);
    if (axis(e) < 0 || axis(e) >= t.rank || count(e) < 0 || count(e) > t.dims[axis(e)]) return false;
    t.dims[axis(e)] = count(e);
    out[0] = t;
    out[1] = t.with_type(dtype::i32);
    return true;
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    int const rows = detail::axis_last(c, c.in(e, 0), axis(e)), par[] = {count(e), 1, 1};
    int const keys = detail::computable(c, rows), order = c.emit(prim::order_rows, {&keys, 1}, par);
    c.set(e, 0, detail::axis_back(c, detail::rows_in_order(c, rows, order), axis(e)));
    c.set(e, 1, detail::axis_back(c, order, axis(e)));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const dim = c.dim(e, 0).position(), in[] = {c.value(e, 0)}, par[] = {count(e), axis(e) + (dim <= axis(e)), e.param(2)};
    aval const out[] = {e.out_type(0).with_axis(dim, c.size()), e.out_type(1).with_axis(dim, c.size())};
    int const first = c.emit(prim::top_k, in, par, out, {});
    for (int k = 0; k < 2; ++k) c.set(e, k, first + k, dim);
  }
  // On the last axis, which is exchanged with the given one.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int const last = e.type(0).rank - 1;
    int v = l.in(e, 0);
    detail::int_list order;
    for (int i = 0; i <= last; ++i) order.push(i == axis(e) ? last : i == last ? axis(e) : i);
    auto const transposed = [&](int x, aval out) {
      if (axis(e) == last) return x;
      int const n = out.dims[axis(e)];
      out.dims[axis(e)] = out.dims[last];
      out.dims[last] = n;
      return l.transpose(x, {order.of, order.n}, out);
    };
    v = transposed(v, e.type(0));
    int const first = l.top_k(v, count(e));
    for (int k = 0; k < 2; ++k) l.set(e, k, transposed(first + k, l.type(first + k)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("axis");
    o.integer(axis(e));
    o.key("is_stable");
    o.boolean(e.param(2) != 0);
    o.key("k");
    o.integer(count(e));
  }
};

}  // namespace exprax
