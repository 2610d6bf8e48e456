// SPDX-License-Identifier: BSL-1.0
// sort (jax.lax.sort): sorts rows along one axis of several arrays, by the first num_keys of them: NaN last, -0 equal to 0, complex numbers
// by real, then by imaginary part; equal elements keep their order. A block, if there is one, defines the order: a comparator as in
// StableHLO, from two scalars of each operand, (x0, y0, x1, y1, ...), to bool.
// Parameters: the axis, is_stable, num_keys.
#pragma once

#include <exprax/primitives/indexed/index_vectors.hpp>
#include <exprax/primitives/sorting/order_rows.hpp>

namespace exprax {

namespace detail {

// Moves the sorted axis to the end, and back.
template <class Context>
constexpr int axis_last(Context& c, int v, int axis) {
  int_list order;
  for (int i = 0; i < c.type(v).rank; ++i)
    if (i != axis) order.push(i);
  order.push(axis);
  return c.transpose(v, {order.of, order.n});
}
template <class Context>
constexpr int axis_back(Context& c, int v, int axis) {
  int const rank = c.type(v).rank;
  int_list order;
  for (int i = 0; i < rank; ++i) order.push(i == axis ? rank - 1 : i < axis ? i : i - 1);
  return c.transpose(v, {order.of, order.n});
}

// 16-bit floats are sorted as floats.
template <class Context>
constexpr int computable(Context& c, int v) {
  return is_half(c.type(v).type) ? c.convert(v, dtype::f32) : v;
}
// Gathers the elements of each row of v by the indices of the same row of `order`.
template <class Context>
constexpr int rows_in_order(Context& c, int v, int order) {
  int const rank = c.type(v).rank;
  aval indices = c.type(order);
  indices.dims[indices.rank++] = 1;
  arena<int> par;
  par.push(static_cast<int>(index_mode::promise_in_bounds));
  for (int i = 0; i < 4; ++i) par.push(0);
  for (int i = 0; i < rank; ++i) par.push(c.type(v).dims[i] > 0);
  par.push(0);                        // no window axes
  par.push(1), par.push(rank - 1);    // the dropped axis
  par.push(1), par.push(rank - 1);    // the indexed axis
  for (int k = 0; k < 2; ++k) {       // the others are batching axes
    par.push(rank - 1);
    for (int i = 0; i + 1 < rank; ++i) par.push(i);
  }
  int const in[] = {v, c.reshape(order, indices)};
  return c.emit(prim::gather, in, par);
}

// Whether a value counts 0, 1, 2, ... along an axis.
constexpr bool counts_along(program_ref p, int v, int axis) {
  for (int i = 0; i < p.n.eqns; ++i) {
    if (p.eqns[i].out != v) continue;
    equation_ref const e{p, p.eqns[i]};
    if (e.e.op == prim::iota) return e.param(1) == axis;
    if (e.e.op != prim::broadcast_in_dim) return false;
    int const rank = e.out_type(0).rank;
    for (int k = 0; k < e.type(0).rank; ++k)
      if (e.param(rank + k) == axis) return e.type(0).dims[k] == e.out_type(0).dims[axis] && counts_along(p, e.in(0), k);
    return false;
  }
  return false;
}

}  // namespace detail

template <>
struct primitive<prim::sort> {
  static constexpr std::string_view name = "sort";
  static constexpr prim_traits traits{.kind = op_class::composite};

  static constexpr int axis(equation_ref const& e) { return e.param(0); }
  static constexpr bool is_stable(equation_ref const& e) { return e.param(1) != 0; }
  static constexpr int num_keys(equation_ref const& e) { return e.param(2); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() < 1 || e.n_out() != e.n_in() || e.n_par() != 3 || e.e.n_blk > 1) return false;
    if (axis(e) < 0 || axis(e) >= e.type(0).rank || num_keys(e) < 1 || num_keys(e) > e.n_in()) return false;
    for (int k = 0; k < e.n_in(); ++k) {
      if (!e.type(k).same_shape(e.type(0))) return false;
      out[k] = e.type(k);
    }
    return e.e.n_blk == 0 || compares(e);
  }

  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    if (e.type(0).dims[axis(e)] <= 1 || e.type(0).size() == 0) {
      for (int k = 0; k < e.n_in(); ++k) c.set(e, k, c.in(e, k));
      return;
    }
    detail::arena<int> rows;
    for (int k = 0; k < e.n_in(); ++k) rows.push(detail::axis_last(c, c.in(e, k), axis(e)));
    auto const give = [&](int k, int v) { c.set(e, k, detail::axis_back(c, v, axis(e))); };
    if (e.e.n_blk > 0) return expand_network(c, e, rows, give);
    if (e.n_in() == 1 && !is_complex(e.type(0).type)) {
      int const x = detail::computable(c, rows[0]);
      return give(0, c.convert(c.emit(prim::sort_rows, {&x, 1}), e.type(0).type));
    }
    // From the last key to the first: stable sorts keep the order by the later keys.
    int order = -1;
    int const par[] = {e.type(0).dims[axis(e)], 0, 0};
    auto const by = [&](int row) {
      int const key = order < 0 ? row : detail::rows_in_order(c, row, order), next = c.emit(prim::order_rows, {&key, 1}, par);
      order = order < 0 ? next : detail::rows_in_order(c, order, next);
    };
    for (int k = num_keys(e) - 1; k >= 0; --k) {
      if (is_complex(e.type(k).type)) by(c.emit(prim::imag, {&rows[k], 1})), by(c.emit(prim::real, {&rows[k], 1}));
      else by(detail::computable(c, rows[k]));
    }
    for (int k = 0; k < e.n_in(); ++k)
      give(k, detail::counts_along(e.p, e.in(k), axis(e)) ? c.convert(order, e.type(k).type) : detail::rows_in_order(c, rows[k], order));
  }

  // The tangents in the order that a further operand, the index along the axis, gets.
  template <class Context>
    requires requires(Context& c, equation_ref const& e) { c.set_tangent(e, 0, 0); }
  static constexpr void jvp(Context& c, equation_ref const& e) {
    aval const& t = e.type(0);
    detail::arena<int> in;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) in.push(c.in(e, k)), out.push(e.type(k));
    in.push(c.iota(t.with_type(dtype::i32), axis(e)));
    out.push(c.type(in.back()));
    int const par[] = {axis(e), 1, num_keys(e)};
    int const order = detail::axis_last(c, c.emit(prim::sort, in, par, out, {}) + e.n_in(), axis(e));
    for (int k = 0; k < e.n_in(); ++k) {
      if (!c.has_tangent(e, k)) continue;
      int const rows = detail::axis_last(c, c.tangent(e, k), axis(e));
      c.set_tangent(e, k, detail::axis_back(c, detail::rows_in_order(c, rows, order), axis(e)));
    }
  }
  // jax.lax's _sort_batch_rule: all operands get the batch axis at the position that it has in the first batched one.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int first_mapped = 0;
    while (!c.dim(e, first_mapped).is_mapped()) ++first_mapped;
    int const dim = c.dim(e, first_mapped).position();
    detail::arena<int> in, blocks;
    detail::arena<batch_axis> dims;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      in.push(c.placed(c.value(e, k), c.dim(e, k), dim));
      out.push(e.out_type(k).with_axis(dim, c.size()));
    }
    if (e.e.n_blk > 0) {
      dims.resize(e.sub(0).n_in);
      blocks.push(c.batch_block(e.p.block_id(e.e, 0), dims, {}));
    }
    int const par[] = {axis(e) + (dim <= axis(e)), e.param(1), e.param(2)};
    int const first = c.emit(prim::sort, in, par, out, blocks);
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, dim);
  }

  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    detail::arena<int> in;
    for (int k = 0; k < e.n_in(); ++k) in.push(l.in(e, k));
    int const first = e.e.n_blk > 0 ? l.sort_by(in, axis(e), is_stable(e), e.sub(0)) : l.sort(in, axis(e), is_stable(e), num_keys(e));
    for (int k = 0; k < e.n_out(); ++k) l.set(e, k, first + k);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    if (e.e.n_blk > 0) {
      o.key("comparator");
      o.block(0);
    }
    o.key("dimension");
    o.integer(axis(e));
    o.key("is_stable");
    o.boolean(is_stable(e));
    o.key("num_keys");
    o.integer(num_keys(e));
  }

 private:
  static constexpr bool compares(equation_ref const& e) {
    block const& b = e.sub(0);
    if (b.n_in != 2 * e.n_in() || b.n_out != 1 || !e.p.type(e.p.outs(b)[0]).matches(aval(dtype::b1))) return false;
    for (int k = 0; k < b.n_in; ++k)
      if (!e.p.type(e.p.ins(b)[k]).matches(aval(e.type(k / 2).type))) return false;
    return true;
  }

  // A bitonic network on rows padded to a power of two. Ties are decided by the indices, which makes it stable; padding has its own
  // indices, and comes last.
  template <class Context, class Give>
  static constexpr void expand_network(Context& c, equation_ref const& e, detail::arena<int> v, Give give) {
    using detail::int_list;
    aval const shape = c.type(v[0]).with_type(dtype::i32);
    int const operands = v.size(), n = shape.dims[shape.rank - 1];
    int rows = 1, padded = 1;
    for (int i = 0; i + 1 < shape.rank; ++i) rows *= shape.dims[i];
    while (padded < n) padded *= 2;
    if (rows == 0) {
      for (int k = 0; k < operands; ++k) give(k, v[k]);
      return;
    }
    for (int k = 0; k < operands; ++k) {
      dtype const t = c.type(v[k]).type;
      int const none[] = {0, 0}, high[] = {0, padded - n};
      v[k] = c.reshape(v[k], aval(t, {rows, n}));
      if (padded > n) v[k] = c.pad(v[k], c.number(t, 0), none, high, none);
    }
    v.push(c.iota(aval(dtype::i32, {rows, padded}), 1));
    for (int run = 2; run <= padded; run *= 2)
      for (int step = run / 2; step > 0; step /= 2) exchange(c, e, v, rows, padded, n, step, step == run / 2);
    for (int k = 0; k < operands; ++k) give(k, c.reshape(c.slice_axis(v[k], 1, 0, n), shape.with_type(c.type(v[k]).type)));
  }
  // Compares the elements of the lower half of each 2 * step with those of the upper half, or, if `turns`, with the reversed upper half.
  template <class Context>
  static constexpr void exchange(Context& c, equation_ref const& e, detail::arena<int>& v, int rows, int padded, int n, int step,
                                 bool turns) {
    int const last[] = {1}, pairs = rows * padded / (2 * step), flat = pairs * step, with_index = v.size() - 1;
    detail::arena<int> low, high, compared, swapped;
    for (int k = 0; k < v.size(); ++k) {
      int const both = c.reshape(v[k], aval(c.type(v[k]).type, {pairs, 2 * step}));
      low.push(c.slice_axis(both, 1, 0, step));
      int const upper = c.slice_axis(both, 1, step, 2 * step);
      high.push(turns ? c.rev(upper, last) : upper);
    }
    aval const of_scalars(dtype::i32, {flat}), of_pairs(dtype::b1, {pairs, step});
    for (int k = 0; k < with_index; ++k) {
      int const a = c.reshape(low[k], of_scalars.with_type(c.type(low[k]).type)),
                b = c.reshape(high[k], of_scalars.with_type(c.type(high[k]).type));
      compared.push(a), compared.push(b);
      swapped.push(b), swapped.push(a);
    }
    int first = 0, second = 0;  // whether the lower one precedes the upper one, and the reverse
    c.splice_batched(e, 0, compared, flat, &first);
    c.splice_batched(e, 0, swapped, flat, &second);
    int const low_index = low[with_index], high_index = high[with_index];
    int const neither = c.elementwise(prim::not_, c.reshape(first, of_pairs));
    int swap = c.elementwise(prim::or_, c.reshape(second, of_pairs),
                             c.elementwise(prim::and_, neither, c.elementwise(prim::lt, high_index, low_index)));
    if (padded > n) {
      int const end = c.number(dtype::i32, n);
      swap = c.elementwise(prim::or_, swap, c.elementwise(prim::ge, low_index, end));
      swap = c.elementwise(prim::and_, swap, c.elementwise(prim::lt, high_index, end));
      // Both are padding: their order does not matter.
    }
    for (int k = 0; k < v.size(); ++k) {
      int const lower = c.select(swap, low[k], high[k]);
      int upper = c.select(swap, high[k], low[k]);
      if (turns) upper = c.rev(upper, last);
      int const both[] = {lower, upper};
      v[k] = c.reshape(c.concatenate(both, 1), aval(c.type(v[k]).type, {rows, padded}));
    }
  }
};

}  // namespace exprax
