// SPDX-License-Identifier: BSL-1.0
// triangular_solve (jax.lax.linalg): x with op(a) x = b, or x op(a) = b, where a is triangular and op transposes it or not; the other
// triangle of a is not read. Leading axes: stacks of matrices, equal in a and b. Floats and complex numbers.
// Parameters: left_side, lower, transpose_a, conjugate_a (op conjugates as well), unit_diagonal (that of a is not read).
#pragma once

#include <exprax/primitives/linalg/matrices.hpp>

namespace exprax {

template <>
struct primitive<prim::triangular_solve> {
  static constexpr std::string_view name = "triangular_solve";
  static constexpr prim_traits traits{.kind = op_class::composite};

  static constexpr bool left_side(equation_ref const& e) { return e.param(0) != 0; }
  static constexpr bool lower_a(equation_ref const& e) { return e.param(1) != 0; }
  static constexpr bool transpose_a(equation_ref const& e) { return e.param(2) != 0; }
  static constexpr bool conjugate_a(equation_ref const& e) { return e.param(3) != 0; }
  static constexpr bool unit_diagonal(equation_ref const& e) { return e.param(4) != 0; }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 2 || e.n_par() != 5) return false;
    aval const &a = e.type(0), &b = e.type(1);
    if (a.type != b.type || !is_inexact(a.type) || a.rank != b.rank || a.rank < 2) return false;
    if (a.dims[a.rank - 1] != a.dims[a.rank - 2] || a.dims[a.rank - 1] != b.dims[b.rank - (left_side(e) ? 2 : 1)]) return false;
    for (int i = 0; i < a.rank - 2; ++i)
      if (a.dims[i] != b.dims[i]) return false;
    *out = b;
    return true;
  }

  // As m x = y, row by row of x: x op(a) = b is solved with the transposed matrices.
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    aval const t = e.out_type(0);
    if (t.size() == 0) return c.set(e, 0, c.in(e, 1));
    if (t.rank > 2) return detail::over_stack(c, e);
    bool const right = !left_side(e), transpose = transpose_a(e) != right, downwards = lower_a(e) != transpose;
    int const a = conjugate_a(e) ? detail::conjugated(c, c.in(e, 0)) : c.in(e, 0),
              b = right ? detail::transposed(c, c.in(e, 1)) : c.in(e, 1);
    int const x = c.type(a).dims[0] <= detail::unrolled_size ? unrolled(c, a, b, transpose, downwards, unit_diagonal(e))
                                                             : by_rows(c, a, b, transpose, downwards, unit_diagonal(e));
    c.set(e, 0, right ? detail::transposed(c, x) : x);
  }

  // Of op(a) x = b: op(a) dx = db - op(da) x, where da has the triangle of a.
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    int const a = c.in(e, 0), x = c.out(e);
    auto const solve = [&](int b) {
      int const in[] = {a, b};
      return c.emit(prim::triangular_solve, in, e.params(), e.out_type(0));
    };
    if (c.has_tangent(e, 0)) {
      int da = c.neg(detail::triangle(c, c.tangent(e, 0), lower_a(e), unit_diagonal(e)));
      if (transpose_a(e)) da = detail::transposed(c, da);
      if (conjugate_a(e)) da = detail::conjugated(c, da);
      c.add_tangent(e, solve(left_side(e) ? detail::product(c, da, x) : detail::product(c, x, da)));
    }
    if (c.has_tangent(e, 1)) c.add_tangent(e, solve(c.tangent(e, 1)));
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const in[] = {c.in(e, 0), c.cotangent(e)}, par[] = {e.param(0), e.param(1), !e.param(2), e.param(3), e.param(4)};
    c.add_cotangent(e, 1, c.emit(prim::triangular_solve, in, par, e.out_type(0)));
  }
  // jax's _triangular_solve_batching_rule: if only b is batched, its columns (rows) are concatenated.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const rank = e.type(1).rank;
    if (c.dim(e, 0).is_mapped()) {
      int const in[] = {c.at_front(c.value(e, 0), c.dim(e, 0), c.size()), c.at_front(c.value(e, 1), c.dim(e, 1), c.size())};
      return c.replace(e, in, e.params(), 0);
    }
    int const dim = left_side(e) ? rank : rank - 1, joined = left_side(e) ? rank - 1 : rank - 2;
    int const b = c.placed(c.value(e, 1), c.dim(e, 1), dim);
    aval flat = e.type(1);
    flat.dims[joined] *= c.size();
    int const in[] = {c.value(e, 0), c.reshape(b, flat)};
    c.set(e, 0, c.reshape(c.emit(prim::triangular_solve, in, e.params(), flat), aval(c.type(b))), dim);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    bool const conjugate = conjugate_a(e) && is_complex(e.type(0).type);
    int a = l.in(e, 0);
    if (conjugate && !transpose_a(e)) a = l.conjugate(a);
    int const flags[] = {left_side(e), lower_a(e), transpose_a(e) ? 1 + conjugate : 0, unit_diagonal(e)};
    l.set(e, 0, l.triangular_solve(a, l.in(e, 1), flags));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("conjugate_a");
    o.boolean(conjugate_a(e));
    o.key("left_side");
    o.boolean(left_side(e));
    o.key("lower");
    o.boolean(lower_a(e));
    o.key("transpose_a");
    o.boolean(transpose_a(e));
    o.key("unit_diagonal");
    o.boolean(unit_diagonal(e));
  }

 private:
  // Rows of b as vectors, or as scalars where they have one element.
  template <class Context>
  static constexpr int unrolled(Context& c, int a, int b, bool transpose, bool downwards, bool unit) {
    aval const t = c.type(b);
    int const n = t.dims[0], m = t.dims[1];
    auto const coefficient = [&](int i, int k) { return transpose ? detail::element(c, a, k, i) : detail::element(c, a, i, k); };
    detail::arena<int> x;
    x.resize(n, -1);
    for (int step = 0; step < n; ++step) {
      int const i = downwards ? step : n - 1 - step;
      int v = m == 1 ? detail::element(c, b, i, 0) : detail::row_of(c, b, i);
      for (int before = 0; before < step; ++before) {
        int const k = downwards ? before : n - 1 - before;
        v = c.elementwise(prim::sub, v, c.elementwise(prim::mul, coefficient(i, k), x[k]));
      }
      x[i] = unit ? v : c.elementwise(prim::div, v, coefficient(i, i));
    }
    detail::arena<int> rows;
    for (int v : x) rows.push(c.reshape(v, aval(t.type, {1, m})));
    return c.concatenate(rows, 0);
  }
  // Each iteration computes row i of x and subtracts its contribution from all rows of b, also from finished rows, which are not read
  // again.
  template <class Context>
  static constexpr int by_rows(Context& c, int a, int b, bool transpose, bool downwards, bool unit) {
    aval const t = c.type(b);
    int const n = t.dims[0], m = t.dims[1];
    aval const vector(t.type, {n});
    int const xs[] = {transpose ? a : detail::transposed(c, a), c.iota(aval(dtype::i32, {n}), 0)};
    aval const row = m == 1 ? aval(t.type, {1}) : aval(t.type, {1, m}), stacked = row.with_axis(0, n);
    int const carry = m == 1 ? c.reshape(b, vector) : b;
    int const first =
        detail::scan_rows(c, carry, xs, n, !downwards, {&stacked, 1}, [&](int left, detail::span<int> x, detail::arena<int>& outs) {
          int const zero = c.number(dtype::i32, 0), start[] = {x[1], zero};
          int found = detail::block_at(c, left, {start, row.rank}, {row.dims, row.rank});
          if (!unit) {
            int const one[] = {1};
            int const pivot = c.reshape(detail::block_at(c, x[0], {start, 1}, one), aval(t.type));
            found = c.elementwise(prim::div, found, pivot);
          }
          outs.push(found);
          int const column = m == 1 ? x[0] : c.reshape(x[0], aval(t.type, {n, 1}));
          return c.elementwise(prim::sub, left, c.elementwise(prim::mul, column, found));
        });
    return c.reshape(first + 1, t);
  }
};

}  // namespace exprax
