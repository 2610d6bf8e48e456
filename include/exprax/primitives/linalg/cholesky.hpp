// SPDX-License-Identifier: BSL-1.0
// cholesky (jax.lax.linalg): L with L L^H = a, from the lower triangle of a, whose diagonal is real; zeros above. All NaN where a is not
// positive definite, as JAX with LAPACK. Leading axes: a stack of matrices. Floats and complex numbers; no parameters.
#pragma once

#include <exprax/primitives/linalg/matrices.hpp>

namespace exprax {

template <>
struct primitive<prim::cholesky> {
  static constexpr std::string_view name = "cholesky";
  static constexpr prim_traits traits{.kind = op_class::composite};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != 0) return false;
    aval const& a = e.type(0);
    if (a.rank < 2 || a.dims[a.rank - 1] != a.dims[a.rank - 2] || !is_inexact(a.type)) return false;
    *out = a;
    return true;
  }

  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    aval const t = e.type(0);
    if (t.size() == 0) return c.set(e, 0, c.in(e, 0));
    if (t.rank > 2) return detail::over_stack(c, e);
    // Checking the last pivot is enough: one that is not positive makes all later ones NaN, or -infinity.
    int const n = t.dims[0], zero = c.number(real_dtype(t.type), 0);
    int last = -1;
    int const l = n <= detail::unrolled_size ? unrolled(c, c.in(e, 0), n, last) : by_rows(c, c.in(e, 0), n, last);
    int const good = c.elementwise(prim::gt, last, zero), nan = c.elementwise(prim::div, zero, zero);
    c.set(e, 0, c.select(good, c.full(t, c.convert(nan, t.type)), l));
  }

  // dL = L phi(L^-1 da L^-H), where phi takes the lower triangle and half of the diagonal, and da is read as a is: by its lower triangle.
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    aval const t = e.out_type(0);
    int const l = c.out(e), lower = detail::triangle(c, c.tangent(e, 0), true, false);
    int const strict = detail::triangle(c, c.tangent(e, 0), true, true), upper = detail::transposed(c, strict);
    int const da = c.add(lower, is_complex(t.type) ? detail::conjugated(c, upper) : upper);
    auto const solve = [&](int b, bool left) {
      int const in[] = {l, b}, par[] = {left, 1, !left, !left && is_complex(t.type), 0};
      return c.emit(prim::triangular_solve, in, par, t);
    };
    int const made = solve(solve(da, false), true);
    int const half = c.mul(c.add(detail::triangle(c, made, true, false), detail::triangle(c, made, true, true)), c.real_like(made, 0.5));
    c.set_tangent(e, 0, detail::product(c, l, half));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const in[] = {c.at_front(c.value(e, 0), c.dim(e, 0), c.size())};
    c.replace(e, in, {}, 0);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.cholesky(l.in(e, 0)));
  }
  template <class Printer>
  static constexpr void print(Printer&, equation_ref const&) {}

 private:
  // Column by column, in scalars.
  template <class Context>
  static constexpr int unrolled(Context& c, int a, int n, int& last) {
    dtype const type = c.type(a).type;
    int const one = c.number(real_dtype(type), 1), zero = c.number(type, 0);
    detail::arena<int> l;
    l.resize(n * n, zero);
    for (int j = 0; j < n; ++j) {
      int inverse = -1;
      for (int i = j; i < n; ++i) {
        int v = detail::element(c, a, i, j);
        for (int k = 0; k < j; ++k)
          v = c.elementwise(prim::sub, v, c.elementwise(prim::mul, l[i * n + k], detail::conjugated(c, l[j * n + k])));
        if (i == j) {
          last = detail::real_part(c, v);
          int const root = c.elementwise(prim::sqrt, last);
          l[j * n + j] = c.convert(root, type);
          if (j + 1 < n) inverse = c.convert(c.elementwise(prim::div, one, root), type);
        } else {
          l[i * n + j] = c.elementwise(prim::mul, v, inverse);
        }
      }
    }
    return detail::matrix_of(c, l, c.type(a));
  }
  // Each iteration computes row j of L^H from row j of the remaining matrix, and subtracts its outer product from that matrix.
  template <class Context>
  static constexpr int by_rows(Context& c, int a, int n, int& last) {
    dtype const type = c.type(a).type;
    int const index = c.iota(aval(dtype::i32, {n}), 0);
    // Only rows are read, so the upper triangle is filled from the lower one.
    int const rows = c.iota(aval(dtype::i32, {n, n}), 0), columns = c.iota(aval(dtype::i32, {n, n}), 1);
    int const whole = c.select(c.elementwise(prim::gt, columns, rows), a, detail::conjugated(c, detail::transposed(c, a)));
    aval const stacked(type, {n, n});
    int const first =
        detail::scan_rows(c, whole, {&index, 1}, n, false, {&stacked, 1}, [&](int left, detail::span<int> x, detail::arena<int>& outs) {
          int const zero = c.number(dtype::i32, 0), sizes[] = {1, n}, start[] = {x[0], zero}, one[] = {1}, at[] = {x[0]};
          int const row = c.reshape(detail::block_at(c, left, start, sizes), aval(type, {n}));
          int const pivot = detail::real_part(c, c.reshape(detail::block_at(c, row, at, one), aval(type)));
          int const root = c.elementwise(prim::sqrt, pivot);
          int const inverse = c.convert(c.elementwise(prim::div, c.number(real_dtype(type), 1), root), type);
          int const before = c.elementwise(prim::lt, c.iota(aval(dtype::i32, {n}), 0), x[0]);
          aval const vector(type, {n});
          int const made = c.select(before, c.elementwise(prim::mul, row, inverse), c.full(vector, c.number(type, 0)));
          outs.push(made);
          int const down = c.reshape(detail::conjugated(c, made), aval(type, {n, 1})), across = c.reshape(made, aval(type, {1, n}));
          return c.elementwise(prim::sub, left, c.elementwise(prim::mul, down, across));
        });
    int const upper = first + 1;
    last = detail::real_part(c, detail::element(c, upper, n - 1, n - 1));
    return detail::conjugated(c, detail::transposed(c, upper));
  }
};

}  // namespace exprax
