// SPDX-License-Identifier: BSL-1.0
// LU factors with row exchanges, and what follows from them (jax.numpy.linalg, jax.scipy.linalg): lu, lu_factor, lu_solve, solve,
// inv, det, slogdet. Matrices stand in the last two axes. Up to 8 x 8 all elements are scalars of their own, so that under vmap many
// matrices run in lanes; larger ones go column by column in a loop.
#pragma once

#include <exprax/api/control/fori_loop.hpp>
#include <exprax/numpy/indexing/at.hpp>
#include <exprax/numpy/linalg/triangular.hpp>
#include <exprax/numpy/products/matmul.hpp>
#include <exprax/numpy/reductions/argument_extrema.hpp>

namespace exprax {

namespace detail {

inline constexpr int small_matrix_size = 8;

// The rows of a matrix, each a vector of its own.
constexpr arena<handle> rows_of(handle const& x) {
  aval const t = untyped::type_of(x);
  arena<handle> rows;
  for (int i = 0; i < t.dims[0]; ++i) rows.push(untyped::reshape(untyped::slice(x, 0, i, i + 1), {&t.dims[1], 1}));
  return rows;
}
constexpr handle side_by_side(handle const& a, handle const& b) {
  arena<handle> parts;
  parts.push(a);
  parts.push(b);
  return untyped::concatenate(parts, 0);
}
// Element j of a vector, and what stands behind it.
constexpr handle element_of(handle const& row, int j) { return untyped::reshape(untyped::slice(row, 0, j, j + 1), {}); }
constexpr handle behind(handle const& row, int j) { return untyped::slice(row, 0, j + 1, untyped::type_of(row).dims[0]); }
// Vectors of one size as a matrix.
constexpr handle stacked_rows(arena<handle> const& rows, aval const& shape) {
  return untyped::reshape(untyped::concatenate(rows, 0), {shape.dims, shape.rank});
}

// Gaussian elimination with exchanges of rows: the largest element of each column is its pivot. `rows` may be longer than the matrix has
// columns: right sides are reduced as well. Afterwards row k lacks its first k elements, which are 0, and below[k] has what multiples of
// other rows it was reduced by. pivots: the row that was exchanged with row k; order: which row came where.
struct elimination {
  arena<handle> rows, below, pivots, order;

  template <class T>
  constexpr void run(int columns, bool keep_factors) {
    using untyped::binary;
    int const n = rows.size(), steps = n < columns ? n : columns;
    if (keep_factors) {
      below.resize(n);
      for (int i = 0; i < n; ++i) order.push(untyped::number<std::int32_t>(rows[0], i));
    }
    for (int k = 0; k < steps; ++k) {
      find_pivot(k);
      exchange(rows, k);
      if (keep_factors) {
        if (k > 0) exchange(below, k);
        exchange(order, k);
        handle which = untyped::number<std::int32_t>(rows[k], k);
        for (int i = k + 1; i < n; ++i) which = untyped::select(is_pivot_[i], which, untyped::number<std::int32_t>(which, i));
        pivots.push(which);
      }
      if (k + 1 == n) break;
      // A column of zeros stays as it is.
      handle const top = element_of(rows[k], 0), zero = untyped::number<T>(top, T(0)), one = untyped::number<T>(top, T(1));
      handle const inverse = binary(prim::div, one, untyped::select(binary(prim::eq, top, zero), top, one)), right = behind(rows[k], 0);
      for (int i = k + 1; i < n; ++i) {
        handle const factor = binary(prim::mul, element_of(rows[i], 0), inverse);
        rows[i] = binary(prim::sub, behind(rows[i], 0), binary(prim::mul, factor, right));
        if (!keep_factors) continue;
        int const unit = 1;
        handle const longer = untyped::reshape(factor, {&unit, 1});
        if (k == 0) below[i] = longer;
        else below[i] = side_by_side(below[i], longer);
      }
    }
  }

 private:
  // What a pivot is chosen by: of complex numbers |re| + |im|, as LAPACK has it.
  static constexpr handle size_of_pivot(handle const& x) {
    aval const t = untyped::type_of(x);
    if (!is_complex(t.type)) return untyped::unary(prim::abs, x);
    auto const part = [&](prim which) { return untyped::unary(prim::abs, untyped::record(which, x, {}, t.with_type(real_dtype(t.type)))); };
    handle const re = part(prim::real);
    return untyped::binary(prim::add, re, part(prim::imag));
  }
  // Which row has the first of the largest elements in the first column.
  constexpr void find_pivot(int k) {
    using untyped::binary;
    int const n = rows.size();
    is_pivot_.clear();
    is_pivot_.resize(n);
    if (k + 1 == n) return;
    handle best = size_of_pivot(element_of(rows[k], 0));
    for (int i = k + 1; i < n; ++i) {
      handle const size = size_of_pivot(element_of(rows[i], 0));
      is_pivot_[i] = binary(prim::gt, size, best);
      if (i + 1 < n) best = untyped::select(is_pivot_[i], best, size);
    }
    handle later = is_pivot_[n - 1];
    for (int i = n - 2; i > k; --i) {
      handle const larger = is_pivot_[i];
      is_pivot_[i] = binary(prim::and_, larger, untyped::unary(prim::not_, later));
      if (i > k + 1) later = binary(prim::or_, later, larger);
    }
  }
  constexpr void exchange(arena<handle>& of, int k) const {
    handle const top = of[k];
    handle chosen = top;
    for (int i = k + 1; i < of.size(); ++i) {
      handle const own = of[i];
      chosen = untyped::select(is_pivot_[i], chosen, own);
      of[i] = untyped::select(is_pivot_[i], own, top);
    }
    of[k] = chosen;
  }
  arena<handle> is_pivot_;
};

// L below the diagonal and U on and above it, in one matrix; row k was exchanged with row pivots[k]; permutation: which row of the
// matrix stands where (jax.lax.linalg.lu).
struct lu_body {
  template <class T, int M, int N>
  constexpr auto operator()(expr<T, M, N> const& x) const {
    constexpr int steps = M < N ? M : N;
    if constexpr (steps == 0) {
      return std::tuple(x, filled<std::int32_t, steps>(0), broadcasted_iota<std::int32_t, 0, M>());
    } else if constexpr (M <= small_matrix_size && N <= small_matrix_size) {
      elimination e;
      e.rows = rows_of(untyped::from(x));
      e.template run<strong_t<T>>(N, true);
      // Row k: the factors before its first min(k, N) columns, and what is left of it.
      arena<handle> whole, pivots, order;
      for (int k = 0; k < M; ++k) {
        if (k == 0) {
          whole.push(e.rows[0]);
        } else {
          int const own = untyped::type_of(e.below[k]).dims[0], left = untyped::type_of(e.rows[k]).dims[0];
          if (left + own == N) whole.push(side_by_side(e.below[k], e.rows[k]));
          else whole.push(side_by_side(untyped::slice(e.below[k], 0, 0, N - left), e.rows[k]));
        }
      }
      int const unit = 1;
      for (handle const& h : e.pivots) pivots.push(untyped::reshape(h, {&unit, 1}));
      for (handle const& h : e.order) order.push(untyped::reshape(h, {&unit, 1}));
      return std::tuple(untyped::as<expr<T, M, N>>(stacked_rows(whole, expr<T, M, N>::type)),
                        untyped::as<expr<std::int32_t, steps>>(stacked_rows(pivots, aval(dtype::i32, {steps}))),
                        untyped::as<expr<std::int32_t, M>>(stacked_rows(order, aval(dtype::i32, {M}))));
    } else {
      return by_columns(x);
    }
  }

 private:
  template <class X>
  static constexpr auto sizes_of_pivots(X const& x) {
    if constexpr (has_complex_elements<X>) return add(abs(real(x)), abs(imag(x)));
    else return abs(x);
  }
  template <class T, int M, int N>
  static constexpr auto by_columns(expr<T, M, N> const& x) {
    constexpr int steps = M < N ? M : N;
    auto const rows = broadcasted_iota_near<std::int32_t, 0, M>(x);
    auto const columns = broadcasted_iota_near<std::int32_t, 0, N>(x);
    expr<std::int32_t, steps> const none_yet = constant_like<expr<std::int32_t, steps>>(x, 0);
    auto const step = [rows, columns](auto k, auto state) {
      auto const a = std::get<0>(state);
      auto const pivots = std::get<1>(state);
      auto const order = std::get<2>(state);
      auto const sizes = where(less(rows, k), -1, sizes_of_pivots(a(all, k)));
      auto const p = argmax(sizes);
      auto const above = a(k);
      auto const below = a(p);
      auto const swapped = a.at(k).set(below).at(p).set(above);
      auto const first = order(k);
      auto const second = order(p);
      auto const reordered = order.at(k).set(second).at(p).set(first);
      auto const column = swapped(all, k);
      auto const pivot = column(k);
      auto const safe = where(equal(pivot, 0), 1, pivot);
      auto const factors = where(greater(rows, k), divide(column, safe), 0);
      auto const right = where(greater(columns, k), below, 0);
      auto const reduced = subtract(swapped, multiply(expanded<1>(factors), expanded<0>(right)));
      auto const is_factor = logical_and(expanded<1>(greater(rows, k)), expanded<0>(equal(columns, k)));
      return std::tuple(where(is_factor, expanded<1>(factors), reduced), pivots.at(k).set(p), reordered);
    };
    return fori_loop(0, steps, step, std::tuple(x, none_yet, rows));
  }
};

// x with a x = b, by elimination of both; then from the last row up.
struct solve_body {
  template <class T, int N, int M>
  constexpr expr<T, N, M> operator()(expr<T, N, N> const& a, expr<T, N, M> const& b) const {
    if constexpr (N == 0 || M == 0) {
      return b;
    } else if constexpr (N <= small_matrix_size) {
      return unrolled<strong_t<T>>(a, b);
    } else {
      auto const factors = lu_body{}(a);
      auto const lu = std::get<0>(factors);
      auto const order = std::get<2>(factors);
      auto const rows = vmap([b](auto i) { return b(i); })(order);
      auto const y = record_triangular_solve<triangular{.left_side = true, .lower = true, .unit_diagonal = true}>(lu, rows);
      return record_triangular_solve<triangular{.left_side = true}>(lu, y);
    }
  }

 private:
  template <class F, class A, class B>
  static constexpr B unrolled(A const& a, B const& b) {
    using untyped::binary;
    constexpr int n = B::extent(0), m = B::extent(1);
    handle u = untyped::from(a), v = untyped::from(b);
    join(u, v);
    arena<handle> right = rows_of(v), x;
    elimination e;
    for (handle const& row : rows_of(u)) e.rows.push(side_by_side(row, right[e.rows.size()]));
    e.template run<F>(n, false);
    x.resize(n);
    for (int i = n - 1; i >= 0; --i) {
      // Row i begins with column i, and ends with the right side.
      handle const pivot = element_of(e.rows[i], 0);
      handle sum = untyped::slice(e.rows[i], 0, n - i, n - i + m);
      for (int k = n - 1; k > i; --k) sum = binary(prim::sub, sum, binary(prim::mul, element_of(e.rows[i], k - i), x[k]));
      if (m == 1) x[i] = binary(prim::div, sum, pivot);
      else x[i] = binary(prim::mul, sum, binary(prim::div, untyped::number<F>(pivot, F(1)), pivot));
    }
    return untyped::as<B>(stacked_rows(x, B::type));
  }
};
struct solve_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<stacks>("solve", a, b);
  }

 private:
  struct stacks {
    template <tracer A, tracer B>
    constexpr auto operator()(A const& a, B const& b) const {
      using type = strong_t<inexact_pair<A, B>>;
      auto const x = expr_like<A, type>(as_expr<type>(a));
      auto const y = expr_like<B, type>(as_expr<type>(b));
      if constexpr (rank_in<B> == 1) {
        auto const column = expanded<1>(y);
        auto const solved = matrices(x, column);
        return squeeze_op<-1>{}(solved);
      } else {
        return matrices(x, y);
      }
    }
    // The axes before the last two broadcast.
    template <class X, class Y>
    static constexpr auto matrices(X const& x, Y const& y) {
      if constexpr (X::rank > 2 && Y::rank > 2) return vmap([](auto m, auto b) { return matrices(m, b); })(x, y);
      else if constexpr (X::rank > 2) return vmap([y](auto m) { return matrices(m, y); })(x);
      else if constexpr (Y::rank > 2) return vmap([x](auto b) { return matrices(x, b); })(y);
      else return solve_body{}(x, y);
    }
  };
};
struct inv_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    return named_call<stacks>("inv", a);
  }

 private:
  struct stacks {
    template <tracer A>
    constexpr auto operator()(A const& a) const {
      using type = strong_t<inexact_t<type_in<A>>>;
      auto const x = expr_like<A, type>(as_expr<type>(a));
      return over_stacks<2>([](auto m) { return solve_body{}(m, exprax::eye<type, decltype(m)::extent(0)>()); }, x);
    }
  };
};
struct lu_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    using type = strong_t<inexact_t<type_in<A>>>;
    auto const x = expr_like<A, type>(as_expr<type>(a));
    return over_stacks<2>(lu_body{}, x);
  }
};

// Sign and logarithm of the determinant; -inf where it is 0.
struct slogdet_of {
  template <class T, int N>
  constexpr auto operator()(expr<T, N, N> const& x) const {
    using part = real_part_t<T>;
    if constexpr (N == 0) {
      return std::tuple(expr<T>(as_expr<T>(1)), expr<part>(as_expr<part>(0)));
    } else {
      auto const factors = lu_body{}(x);
      auto const diagonal = diagonal_body<0, 0, 1>{}(std::get<0>(factors));
      auto const moved = not_equal(std::get<1>(factors), broadcasted_iota_near<std::int32_t, 0, N>(x));
      auto const exchanges = sum(astype<std::int32_t>(moved));
      auto const is_zero = any(equal(diagonal, 0));
      constexpr auto nothing = -std::numeric_limits<strong_t<part>>::infinity();
      if constexpr (is_complex(dtype_of<T>)) {
        auto const sizes = abs(diagonal);
        auto const turned = prod(divide(diagonal, astype<T>(sizes)));
        auto const sign = multiply(turned, subtract(1, multiply(2, astype<T>(mod(exchanges, 2)))));
        return std::tuple(expr<T>(where(is_zero, 0, sign)), expr<part>(where(is_zero, nothing, sum(log(sizes)))));
      } else {
        auto const negatives = sum(astype<std::int32_t>(less(diagonal, 0)));
        auto const odd = mod(add(exchanges, negatives), 2);
        auto const sign = subtract(1, multiply(2, astype<T>(odd)));
        auto const logarithm = sum(log(abs(diagonal)));
        return std::tuple(expr<T>(where(is_zero, 0, sign)), expr<T>(where(is_zero, nothing, logarithm)));
      }
    }
  }
};
struct det_of {
  template <class T, int N>
  constexpr expr<T> operator()(expr<T, N, N> const& x) const {
    if constexpr (N == 0) {
      return as_expr<T>(1);
    } else if constexpr (N == 1) {
      return x(0, 0);
    } else if constexpr (N == 2) {
      return subtract(multiply(x(0, 0), x(1, 1)), multiply(x(0, 1), x(1, 0)));
    } else if constexpr (N == 3) {
      auto const a = multiply(x(0, 0), subtract(multiply(x(1, 1), x(2, 2)), multiply(x(1, 2), x(2, 1))));
      auto const b = multiply(x(0, 1), subtract(multiply(x(1, 0), x(2, 2)), multiply(x(1, 2), x(2, 0))));
      auto const c = multiply(x(0, 2), subtract(multiply(x(1, 0), x(2, 1)), multiply(x(1, 1), x(2, 0))));
      return add(subtract(a, b), c);
    } else {
      auto const factors = lu_body{}(x);
      auto const diagonal = diagonal_body<0, 0, 1>{}(std::get<0>(factors));
      auto const moved = not_equal(std::get<1>(factors), broadcasted_iota_near<std::int32_t, 0, N>(x));
      auto const odd = mod(sum(astype<std::int32_t>(moved)), 2);
      return multiply(prod(diagonal), subtract(1, multiply(2, astype<T>(odd))));
    }
  }
};
template <class Of>
struct determinant_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    using type = strong_t<inexact_t<type_in<A>>>;
    auto const x = expr_like<A, type>(as_expr<type>(a));
    return over_stacks<2>(Of{}, x);
  }
};
template <class Of>
struct named_determinant_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    return named_call<determinant_op<Of>>(std::is_same_v<Of, det_of> ? "det" : "slogdet", a);
  }
};
struct lu_solve_op {
  template <operand L, operand P, operand B>
  constexpr auto operator()(L const& lu, P const& pivots, B const& b) const {
    using type = strong_t<inexact_pair<L, B>>;
    auto const x = expr_like<L, type>(as_expr<type>(lu));
    auto const y = expr_like<B, type>(as_expr<type>(b));
    auto const rows = fori_loop(
        0, P::extent(0),
        [pivots](auto k, auto state) {
          auto const p = pivots(k);
          auto const above = state(k);
          auto const below = state(p);
          return state.at(k).set(below).at(p).set(above);
        },
        y);
    auto const half = triangular_solve_op<triangular{.left_side = true, .lower = true, .unit_diagonal = true}>{}(x, rows);
    return triangular_solve_op<triangular{.left_side = true}>{}(x, half);
  }
};
// L, U and the permutation as a matrix: a = P L U (jax.scipy.linalg.lu).
struct lu_parts_of {
  template <class T, int M, int N>
  constexpr auto operator()(expr<T, M, N> const& x) const {
    constexpr int k = M < N ? M : N;
    auto const factors = lu_body{}(x);
    auto const lu = std::get<0>(factors);
    auto const columns = broadcasted_iota_near<std::int32_t, 0, M>(x);
    auto const p = astype<T>(equal(expanded<1>(columns), expanded<0>(std::get<2>(factors))));
    auto const left = index_read(lu, all, exprax::slice<0, k>);
    auto const below = triangle_op<-1, true>{}(left);
    auto const l = add(below, exprax::eye<T, M, k>());
    auto const upper = index_read(lu, exprax::slice<0, k>);
    auto const u = triangle_op<0, false>{}(upper);
    return std::tuple(p, l, u);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class A, class B>
inline constexpr bool is_a_system = [] {
  if constexpr (!is_square<A> || rank_in<B> == 0) return false;
  else return aval_in<B>.dims[rank_in<B> > 1 ? rank_in<B> - 2 : 0] == rows_in<A>;
}();

}  // namespace detail

namespace lax {

// (lu, pivots, permutation) with a[permutation] = L U; L has ones on its diagonal, which are not stored. [..., m, n] -> [..., m, n],
// int32[..., min(m, n)], int32[..., m]; integers become float32 (x64: float64). Refused: fewer than two axes (jax.lax.linalg.lu).
template <array_like X>
constexpr auto lu(X const& a) {
  static_assert(detail::is_a_matrix<X>, "exprax: lax.lu: the argument must be matrices");
  if constexpr (detail::is_a_matrix<X>) return detail::apply<detail::lu_op>(a);
  else return a;  // after the error: nothing that leads to others
}

}  // namespace lax
namespace linalg {

// (P, L, U) with a = P L U. [..., m, n] -> [..., m, m], [..., m, k], [..., k, n], k = min(m, n), all of a's dtype; integers become float32
// (x64: float64). Refused: fewer than two axes (jax.scipy.linalg.lu).
template <array_like X>
constexpr auto lu(X const& a) {
  static_assert(detail::is_a_matrix<X>, "exprax: linalg.lu: the argument must be matrices");
  if constexpr (detail::is_a_matrix<X>) return detail::apply<detail::determinant_op<detail::lu_parts_of>>(a);
  else return a;  // after the error: nothing that leads to others
}
// (lu, pivots) for lu_solve, as of lax::lu. Refused: fewer than two axes (jax.scipy.linalg.lu_factor).
template <array_like X>
constexpr auto lu_factor(X const& a) {
  auto const parts = lax::lu(a);
  return std::tuple(std::get<0>(parts), std::get<1>(parts));
}
// x with a x = b, from lu_factor(a): lu [n, n], b [n] or [n, m] -> the shape of b; dtypes are promoted. Refused: lu that is not one
// square matrix, b of more axes, another number of rows (jax.scipy.linalg.lu_solve).
template <array_like L, array_like P, array_like B>
constexpr auto lu_solve(std::tuple<L, P> const& lu_and_pivots, B const& b) {
  constexpr bool fits = detail::is_a_system<L, B> && detail::rank_in<L> == 2 && detail::rank_in<B> <= 2;
  static_assert(fits, "exprax: linalg.lu_solve: lu must be a square matrix, and b a vector or a matrix with as many rows");
  if constexpr (fits) return detail::apply<detail::lu_solve_op>(std::get<0>(lu_and_pivots), std::get<1>(lu_and_pivots), b);
  else return b;
}
// x with a x = b: a [..., n, n], b [..., n, m] -> [..., n, m]; b of rank 1 is one vector, [n] -> [..., n]. The leading axes go together in
// pairs of equal sizes, from the first one on. The promoted dtype; integers become float32 (x64: float64). Refused: a that is not square,
// another number of rows (jax.numpy.linalg.solve).
template <array_like A, array_like B>
constexpr auto solve(A const& a, B const& b) {
  static_assert(detail::is_square<A>, "exprax: linalg.solve: a must be square matrices");
  static_assert(detail::is_a_system<A, B>, "exprax: linalg.solve: b must have as many rows as a");
  if constexpr (detail::is_square<A> && detail::is_a_system<A, B>)
    return detail::apply<detail::solve_op>(a, b);
  else return a;  // after the error: nothing that leads to others
}
// The inverse of square matrices: [..., n, n] -> [..., n, n]; integers become float32 (x64: float64). Of a singular matrix elements are
// not finite. Refused: matrices that are not square (jax.numpy.linalg.inv).
template <array_like A>
constexpr auto inv(A const& a) {
  static_assert(detail::is_square<A>, "exprax: linalg.inv: the argument must be square matrices");
  if constexpr (detail::is_square<A>) return detail::apply<detail::inv_op>(a);
  else return a;  // after the error: nothing that leads to others
}
// The determinant of square matrices: [..., n, n] -> [...]; integers become float32 (x64: float64). Refused: matrices that are not square
// (jax.numpy.linalg.det).
template <array_like A>
constexpr auto det(A const& a) {
  static_assert(detail::is_square<A>, "exprax: linalg.det: the argument must be square matrices");
  if constexpr (detail::is_square<A>) return detail::apply<detail::named_determinant_op<detail::det_of>>(a);
  else return a;  // after the error: nothing that leads to others
}
// (sign, log|det|) of square matrices; (0, -inf) where the determinant is 0. [..., n, n] -> [...] each; of complex matrices the sign is
// complex, the logarithm real; integers become float32 (x64: float64). Refused: matrices that are not square (jax.numpy.linalg.slogdet).
template <array_like A>
constexpr auto slogdet(A const& a) {
  static_assert(detail::is_square<A>, "exprax: linalg.slogdet: the argument must be square matrices");
  if constexpr (detail::is_square<A>)
    return detail::apply<detail::named_determinant_op<detail::slogdet_of>>(a);
  else return a;  // after the error: nothing that leads to others
}

}  // namespace linalg

}  // namespace exprax
