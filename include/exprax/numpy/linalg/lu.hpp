// SPDX-License-Identifier: BSL-1.0
// LU factors with row exchanges: lu (jax.lax.linalg, jax.scipy.linalg), lu_factor, lu_solve (jax.scipy.linalg). Matrices stand in the last
// two axes. Up to 8 x 8 all elements are scalars of their own (numpy/linalg/elimination.hpp); larger ones go column by column in a loop.
#pragma once

#include <exprax/api/control/fori_loop.hpp>
#include <exprax/api/derivatives/custom_jvp.hpp>
#include <exprax/numpy/indexing/at.hpp>
#include <exprax/numpy/linalg/elimination.hpp>
#include <exprax/numpy/linalg/triangular.hpp>
#include <exprax/numpy/products/matmul.hpp>
#include <exprax/numpy/reductions/argument_extrema.hpp>

namespace exprax {

namespace detail {

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
// jax.lax.linalg's _lu_jvp_rule: with X = L^-1 P da U^-1, dL is L times what X has below the diagonal, dU the rest of X times U. Of
// matrices that are not square L and U are continued by those of the unit matrix (De Hoog, Anderssen and Lukas 2011).
struct lu_rule {
  template <class T, int M, int N, class Pivots, class Order>
  constexpr auto operator()(std::tuple<expr<T, M, N>> const&, std::tuple<expr<T, M, N>, Pivots, Order> const& factors,
                            std::tuple<expr<T, M, N>> const& by) const {
    constexpr int k = M < N ? M : N;
    auto const lu = std::get<0>(factors);
    auto const da = std::get<0>(by);
    expr<T, M, N> const rows = vmap([da](auto i) { return da(i); })(std::get<2>(factors));
    auto const left = whole_left(lu);
    auto const right = whole_right(lu);
    auto const solved = record_triangular_solve<triangular{.left_side = true, .lower = true, .unit_diagonal = true}>(left, rows);
    auto const x = record_triangular_solve<triangular{}>(right, solved);
    auto const l = add(triangle_op<-1, true>{}(left), exprax::eye<T, M>());
    auto const u = triangle_op<0, false>{}(right);
    auto const dl = matmul(l, triangle_op<-1, true>{}(x));
    auto const du = matmul(triangle_op<0, false>{}(x), u);
    return std::tuple(add(dl, du), constant_like<expr<bool, k>>(lu, false), constant_like<expr<bool, M>>(lu, false));
  }

 private:
  template <class T, int M, int N>
  static constexpr expr<T, M, M> whole_left(expr<T, M, N> const& lu) {
    if constexpr (M == N) return lu;
    else if constexpr (M < N) return index_read(lu, all, exprax::slice<0, M>);
    else return pad_body<0, 0, 0, M - N>{}(lu, expr<T>(as_expr<T>(0)));
  }
  template <class T, int M, int N>
  static constexpr expr<T, N, N> whole_right(expr<T, M, N> const& lu) {
    if constexpr (M == N) return lu;
    else if constexpr (M > N) return index_read(lu, exprax::slice<0, N>);
    else return joined<0>(lu, exprax::eye<T, N - M, N, M>());
  }
};
struct lu_of {
  template <class T, int M, int N>
  constexpr auto operator()(expr<T, M, N> const& x) const {
    if constexpr (M == 0 || N == 0) return lu_body{}(x);
    else return custom_jvp_of_results(lu_body{}, lu_rule{})(x);
  }
};
// For other functions: small matrices without the rule, as their elements have derivatives of their own.
struct lu_within {
  template <class T, int N>
  constexpr auto operator()(expr<T, N, N> const& x) const {
    if constexpr (N <= small_matrix_size) return lu_body{}(x);
    else return lu_of{}(x);
  }
};
struct lu_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    using type = strong_t<inexact_t<type_in<A>>>;
    auto const x = expr_like<A, type>(as_expr<type>(a));
    return over_stacks<2>(lu_of{}, x);
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
    auto const factors = lu_of{}(x);
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
inline constexpr struct lu_function {
  template <array_like X>
  constexpr auto operator()(X const& a) const {
    static_assert(detail::is_a_matrix<X>, "exprax: lax.lu: the argument must be matrices");
    if constexpr (detail::is_a_matrix<X>) return detail::apply<detail::lu_op>(a);
    else return a;  // after the error: nothing that leads to others
  }
} lu{};

}  // namespace lax

namespace linalg {

// (P, L, U) with a = P L U. [..., m, n] -> [..., m, m], [..., m, k], [..., k, n], k = min(m, n), all of a's dtype; integers become float32
// (x64: float64). Refused: fewer than two axes (jax.scipy.linalg.lu).
inline constexpr struct lu_function {
  template <array_like X>
  constexpr auto operator()(X const& a) const {
    static_assert(detail::is_a_matrix<X>, "exprax: linalg.lu: the argument must be matrices");
    if constexpr (detail::is_a_matrix<X>) return detail::apply<detail::each_matrix_op<detail::lu_parts_of>>(a);
    else return a;  // after the error: nothing that leads to others
  }
} lu{};
// (lu, pivots) for lu_solve, as of lax::lu. Refused: fewer than two axes (jax.scipy.linalg.lu_factor).
inline constexpr struct lu_factor_function {
  template <array_like X>
  constexpr auto operator()(X const& a) const {
    auto const parts = lax::lu(a);
    return std::tuple(std::get<0>(parts), std::get<1>(parts));
  }
} lu_factor{};
// x with a x = b, from lu_factor(a): lu [n, n], b [n] or [n, m] -> the shape of b; dtypes are promoted. Refused: lu that is not one
// square matrix, b of more axes, another number of rows (jax.scipy.linalg.lu_solve).
inline constexpr struct lu_solve_function {
  template <array_like L, array_like P, array_like B>
  constexpr auto operator()(std::tuple<L, P> const& lu_and_pivots, B const& b) const {
    constexpr bool fits = detail::is_a_system<L, B> && detail::rank_in<L> == 2 && detail::rank_in<B> <= 2;
    static_assert(fits, "exprax: linalg.lu_solve: lu must be a square matrix, and b a vector or a matrix with as many rows");
    if constexpr (fits) return detail::apply<detail::lu_solve_op>(std::get<0>(lu_and_pivots), std::get<1>(lu_and_pivots), b);
    else return b;
  }
} lu_solve{};

}  // namespace linalg

}  // namespace exprax
