// SPDX-License-Identifier: BSL-1.0
// linalg::pinv, matrix_rank, lstsq (jax.numpy.linalg), from singular values.
#pragma once

#include <exprax/numpy/linalg/svd.hpp>

namespace exprax {

namespace detail {

template <class T>
inline constexpr auto machine_epsilon = std::numeric_limits<strong_t<real_part_t<T>>>::epsilon();

struct pinv_of {
  template <class T, int M, int N>
  constexpr expr<T, N, M> operator()(expr<T, M, N> const& a) const {
    if constexpr (M == 0 || N == 0) {
      return constant_like<expr<T, N, M>>(a, strong_t<T>(0));
    } else {
      auto const parts = svd_of<svd_form::reduced>{}(a);
      auto const s = std::get<1>(parts);
      auto const cutoff = multiply(s(0), 10 * (M > N ? M : N) * machine_epsilon<T>);
      auto const inverse = where(greater(s, cutoff), divide(1, s), 0);
      auto const v = conjugated(transpose_op<1, 0>{}(std::get<2>(parts)));
      return matmul_op{}(multiply(v, expanded<0>(inverse)), conjugated(transpose_op<1, 0>{}(std::get<0>(parts))));
    }
  }
};
struct rank_of {
  template <class T, int M, int N>
  constexpr expr<std::int32_t> operator()(expr<T, M, N> const& a) const {
    auto const s = svd_of<svd_form::values>{}(a);
    if constexpr (M == 0 || N == 0) return constant_like<expr<std::int32_t>>(a, 0);
    else return sum(astype<std::int32_t>(greater(s, multiply(s(0), (M > N ? M : N) * machine_epsilon<T>))));
  }
};
struct any_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    return astype<std::int32_t>(any(not_equal(as_traced(a), 0)));
  }
};
struct lstsq_op {
  template <operand A, operand B, operand... R>
  constexpr auto operator()(A const& a, B const& b, R const&... rcond) const {
    return named_call<body>("lstsq", a, b, rcond...);
  }

 private:
  struct body {
    template <tracer A, tracer B>
    constexpr auto operator()(A const& a, B const& b) const {
      constexpr int most = A::extent(0) > A::extent(1) ? A::extent(0) : A::extent(1);
      return (*this)(a, b, most * machine_epsilon<strong_t<inexact_pair<A, B>>>);
    }
    template <tracer A, tracer B, operand R>
    constexpr auto operator()(A const& a, B const& b, R const& rcond) const {
      using type = strong_t<inexact_pair<A, B>>;
      auto const x = expr_like<A, type>(as_expr<type>(a));
      auto const y = expr_like<B, type>(as_expr<type>(b));
      auto const parts = svd_of<svd_form::reduced>{}(x);
      auto const s = std::get<1>(parts);
      auto const counts = logical_and(greater(s, 0), greater_equal(s, multiply(s(0), as_expr<strong_t<real_part_t<type>>>(rcond))));
      auto const inverse = where(counts, divide(1, where(counts, s, 1)), 0);
      auto const along_u = dot(conjugated(transpose_op<1, 0>{}(std::get<0>(parts))), y);
      auto const scaled = [&] {
        if constexpr (B::rank == 1) return multiply(inverse, along_u);
        else return multiply(expanded<1>(inverse), along_u);
      }();
      auto const solution = dot(conjugated(transpose_op<1, 0>{}(std::get<2>(parts))), scaled);
      auto const miss = subtract(y, dot(x, solution));
      auto const squares = squared_magnitude(miss);
      auto const residuals = [&] {
        if constexpr (B::rank == 1) return sum(squares, axis<0>, keepdims);
        else return sum(squares, axis<0>);
      }();
      return std::tuple(solution, residuals, sum(astype<std::int32_t>(counts)), s);
    }
  };
};

// The same with limits that are given, one for all or one for each matrix.
struct limited_pinv_op {
  template <operand A, operand R>
  constexpr auto operator()(A const& a, R const& rtol) const {
    auto const parts = linalg::svd(as_traced(a), linalg::reduced);
    auto const s = std::get<1>(parts);
    auto const counts = greater(s, multiply(expand_dims(as_traced(rtol), axis<-1>), max(s, axis<-1>, keepdims)));
    auto const inverse = where(counts, divide(1, where(counts, s, 1)), 0);
    auto const v = conjugated(swapaxes<-1, -2>(std::get<2>(parts)));
    return matmul_op{}(multiply(v, expand_dims(inverse, axis<-2>)), conjugated(swapaxes<-1, -2>(std::get<0>(parts))));
  }
};
struct limited_rank_op {
  template <operand A, operand R>
  constexpr auto operator()(A const& a, R const& rtol) const {
    return sum(astype<std::int32_t>(greater(linalg::svdvals(as_traced(a)), expand_dims(as_traced(rtol), axis<-1>))), axis<-1>);
  }
};

}  // namespace detail

namespace linalg {

// The Moore-Penrose inverse: [..., m, n] -> [..., n, m]; singular values up to 10 max(m, n) eps times the largest count as 0. Integers
// become float32 (x64: float64). Refused: fewer than two axes (jax.numpy.linalg.pinv).
inline constexpr struct pinv_function {
  template <array_like A>
  constexpr auto operator()(A const& a) const {
    static_assert(detail::is_a_matrix<A>, "exprax: linalg.pinv: the argument must be matrices");
    if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::each_matrix_op<detail::pinv_of>>(a);
    else return a;  // after the error: nothing that leads to others
  }
  // The same with singular values up to rtol times the largest as 0; rtol is a number, or one for each matrix.
  template <array_like A, array_like R>
  constexpr auto operator()(A const& a, R const& rtol) const {
    static_assert(detail::is_a_matrix<A>, "exprax: linalg.pinv: the argument must be matrices");
    if constexpr (detail::is_a_matrix<A> && detail::aval_in<A>.size() > 0) return detail::apply<detail::limited_pinv_op>(a, rtol);
    else return (*this)(a);
  }
} pinv{};
// How many singular values are above max(m, n) eps times the largest: int32, [..., m, n] -> [...]. Of a vector or a number: 1 if an
// element is not 0, else 0 (jax.numpy.linalg.matrix_rank).
inline constexpr struct matrix_rank_function {
  template <array_like A>
  constexpr auto operator()(A const& a) const {
    if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::each_matrix_op<detail::rank_of>>(a);
    else return detail::apply<detail::any_op>(a);
  }
  // How many are above rtol itself, a number or one for each matrix, as in JAX: it is not multiplied with the largest. Refused: fewer than
  // two axes.
  template <array_like A, array_like R>
  constexpr auto operator()(A const& a, R const& rtol) const {
    static_assert(detail::is_a_matrix<A>, "exprax: linalg.matrix_rank: with a limit the argument must be matrices");
    if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::limited_rank_op>(a, rtol);
    else return (*this)(a);
  }
} matrix_rank{};
// (x, residuals, rank, singular values): x of the least |a x - b|, and the shortest of these. a [m, n], b [m] or [m, k] -> x [n] or [n,
// k], residuals [1] or [k], int32 scalar, [min(m, n)]. Singular values below rcond (max(m, n) eps if not given) times the largest count as
// 0. The promoted dtype; integers become float32 (x64: float64). Refused: other ranks, another number of rows (jax.numpy.linalg.lstsq).
inline constexpr struct lstsq_function {
  template <array_like A, array_like B, array_like... R>
    requires(sizeof...(R) <= 1)
  constexpr auto operator()(A const& a, B const& b, R const&... rcond) const {
      static_assert(detail::rank_in<A> == 2 && (detail::rank_in<B> == 1 || detail::rank_in<B> == 2) &&
                        detail::aval_in<A>.dims[0] == detail::aval_in<B>.dims[0],
                    "exprax: linalg.lstsq: a must be a matrix, and b a vector or matrix with as many rows");
      if constexpr ((detail::rank_in<A> == 2 && (detail::rank_in<B> == 1 || detail::rank_in<B> == 2) &&
                     detail::aval_in<A>.dims[0] == detail::aval_in<B>.dims[0]))
        return detail::apply<detail::lstsq_op>(a, b, rcond...);
      else
        return a;  // after the error: nothing that leads to others
  }
} lstsq{};

}  // namespace linalg

}  // namespace exprax
