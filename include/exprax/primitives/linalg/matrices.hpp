// SPDX-License-Identifier: BSL-1.0
// Shared by composites on matrices: stacks of matrices as a vmap over the leading axes, and elements and rows of a matrix.
#pragma once

#include <exprax/primitives/contractions/contraction.hpp>
#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>

namespace exprax::detail {

// Up to this size everything is in scalars, without loops: a vmap runs this in lanes.
inline constexpr int unrolled_size = 8;

// The equation on each matrix of a stack; the leading axes become one.
template <class Context>
constexpr void over_stack(Context& c, equation_ref const& e) {
  auto const matrix = [](aval const& t) { return aval(t.type, {t.dims[t.rank - 2], t.dims[t.rank - 1]}, t.weak); };
  aval const whole = e.out_type(0), row = matrix(whole);
  int const n = static_cast<int>(whole.size() / row.size());
  aval const stacked = row.with_axis(0, n);
  arena<int> in, inner, par;
  par.push(1);
  par.push(n);
  for (int k = 0; k <= e.n_in(); ++k) par.push(0);
  for (int k = 0; k < e.n_in(); ++k) {
    aval const t = matrix(e.type(k));
    in.push(c.reshape(c.in(e, k), t.with_axis(0, n)));
    inner.push(c.input(t));
  }
  c.open();
  int const result = c.emit(e.e.op, inner, e.params(), row);
  int const body = c.close(inner, {&result, 1});
  c.set(e, 0, c.reshape(c.emit(prim::vmap, in, par, {&stacked, 1}, {&body, 1}), whole));
}

// Element (i, j) of a matrix, as a scalar; row i as [m].
template <class Context>
constexpr int element(Context& c, int v, int i, int j) {
  int const start[] = {i, j}, limit[] = {i + 1, j + 1};
  return c.reshape(c.slice(v, start, limit), aval(c.type(v).type));
}
template <class Context>
constexpr int row_of(Context& c, int v, int i) {
  aval const t = c.type(v);
  int const start[] = {i, 0}, limit[] = {i + 1, t.dims[1]};
  return c.reshape(c.slice(v, start, limit), aval(t.type, {t.dims[1]}));
}
template <class Context>
constexpr int transposed(Context& c, int v) {
  int const rank = c.type(v).rank;
  int permutation[max_rank] = {};
  for (int i = 0; i < rank; ++i) permutation[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
  return c.transpose(v, {permutation, rank});
}
// Complex conjugate; real numbers stay.
template <class Context>
constexpr int conjugated(Context& c, int v) {
  return is_complex(c.type(v).type) ? c.emit(prim::conj, {&v, 1}) : v;
}
template <class Context>
constexpr int real_part(Context& c, int v) {
  return is_complex(c.type(v).type) ? c.emit(prim::real, {&v, 1}) : v;
}
// Scalars in row-major order as a matrix.
template <class Context>
constexpr int matrix_of(Context& c, span<int> elements, aval const& shape) {
  arena<int> parts;
  for (int v : elements) parts.push(c.reshape(v, aval(shape.type, {1})));
  return c.reshape(c.concatenate(parts, 0), shape);
}
// A block of a value, from run-time indices.
template <class Context>
constexpr int block_at(Context& c, int v, span<int> start, span<int> sizes) {
  arena<int> in;
  in.push(v);
  for (int s : start) in.push(s);
  return c.emit(prim::dynamic_slice, in, sizes);
}
// A scan over the rows of xs with one carry: body(carry, xs, outs) returns the next carry and appends the stacked results.
template <class Context, class Body>
constexpr int scan_rows(Context& c, int carry, span<int> xs, int length, bool reverse, span<aval> stacked, Body body) {
  arena<int> in, inner, rows, outs;
  arena<aval> types;
  in.push(carry);
  inner.push(c.input(c.type(carry)));
  for (int x : xs) {
    in.push(x);
    rows.push(c.input(c.type(x).without_axis(0)));
    inner.push(rows.back());
  }
  c.open();
  outs.push(-1);
  int const next = body(inner[0], rows, outs);
  outs[0] = next;
  int const block = c.close(inner, outs);
  types.push(c.type(carry));
  for (aval const& t : stacked) types.push(t);
  int const par[] = {length, 0, 1, reverse, 1};
  return c.emit(prim::scan, in, par, types, {&block, 1});
}

// The lower or upper triangle of each matrix, without the diagonal if it is strict; zeros elsewhere.
template <class Context>
constexpr int triangle(Context& c, int v, bool lower, bool strict) {
  aval const t = c.type(v);
  aval const square(dtype::i32, {t.dims[t.rank - 2], t.dims[t.rank - 1]});
  int const row = c.iota(square, 0), column = c.iota(square, 1), dims[] = {t.rank - 2, t.rank - 1};
  prim const order = lower ? (strict ? prim::gt : prim::ge) : (strict ? prim::lt : prim::le);
  int const inside = c.broadcast(c.elementwise(order, row, column), t, dims);
  return c.select(inside, c.zeros(t), v);
}
// The products of two stacks of matrices.
template <class Context>
constexpr int product(Context& c, int a, int b) {
  aval const x = c.type(a), y = c.type(b);
  int const rank = x.rank, in[] = {a, b};
  int_list par;
  par.push(1);
  par.push(rank - 1);
  par.push(rank - 2);
  par.push(rank - 2);
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i < rank - 2; ++i) par.push(i);
  par.push(static_cast<int>(x.type));
  par.push(product_form{.terms = x.dims[rank - 1], .rows = x.dims[rank - 2], .columns = y.dims[rank - 1]}.order());
  return c.emit(prim::dot_general, in, {par.of, par.n});
}

}  // namespace exprax::detail
