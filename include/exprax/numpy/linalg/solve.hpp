// SPDX-License-Identifier: BSL-1.0
// linalg::solve and linalg::inv (jax.numpy.linalg), by elimination. Matrices stand in the last two axes.
#pragma once

#include <exprax/api/vmap/vmap.hpp>
#include <exprax/numpy/linalg/lu.hpp>

namespace exprax {

namespace detail {

// x with a x = b, by elimination of both; then from the last row up.
struct solve_body {
  template <class T, int N, int M>
  constexpr expr<T, N, M> operator()(expr<T, N, N> const& a, expr<T, N, M> const& b) const {
    if constexpr (N == 0 || M == 0) {
      return b;
    } else if constexpr (N <= small_matrix_size) {
      return unrolled<strong_t<T>>(a, b);
    } else {
      auto const factors = lu_within{}(a);
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
      else x[i] = binary(prim::mul, sum, binary(prim::div, untyped::scalar<F>(pivot, F(1)), pivot));
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

}  // namespace detail

namespace linalg {

// x with a x = b: a [..., n, n], b [..., n, m] -> [..., n, m]; b of rank 1 is one vector, [n] -> [..., n]. The leading axes go together in
// pairs of equal sizes, from the first one on. The promoted dtype; integers become float32 (x64: float64). Refused: a that is not square,
// another number of rows (jax.numpy.linalg.solve).
inline constexpr struct solve_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::is_square<A>, "exprax: linalg.solve: a must be square matrices");
    static_assert(detail::is_a_system<A, B>, "exprax: linalg.solve: b must have as many rows as a");
    if constexpr (detail::is_square<A> && detail::is_a_system<A, B>)
      return detail::apply<detail::solve_op>(a, b);
    else return a;  // after the error: nothing that leads to others
  }
} solve{};
// The inverse of square matrices: [..., n, n] -> [..., n, n]; integers become float32 (x64: float64). Of a singular matrix elements are
// not finite. Refused: matrices that are not square (jax.numpy.linalg.inv).
inline constexpr struct inv_function {
  template <array_like A>
  constexpr auto operator()(A const& a) const {
    static_assert(detail::is_square<A>, "exprax: linalg.inv: the argument must be square matrices");
    if constexpr (detail::is_square<A>) return detail::apply<detail::inv_op>(a);
    else return a;  // after the error: nothing that leads to others
  }
} inv{};

}  // namespace linalg

}  // namespace exprax
