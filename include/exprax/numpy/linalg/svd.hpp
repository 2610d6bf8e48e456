// SPDX-License-Identifier: BSL-1.0
// linalg::svd, svdvals, pinv, matrix_rank, lstsq (jax.numpy.linalg): singular values by one-sided Jacobi rotations of columns
// (Hestenes; Demmel and Veselic 1992), pair by pair in the order of eigh.hpp. Small values come out with their own relative accuracy.
#pragma once

#include <exprax/numpy/linalg/eigh.hpp>
#include <exprax/numpy/linalg/qr.hpp>

namespace exprax {

namespace linalg {

struct reduced_t {};
// svd: as many columns of U and rows of V^T as there are singular values (full_matrices=False).
inline constexpr reduced_t reduced{};

}  // namespace linalg

namespace detail {

// The columns of a matrix as rows, turned until they are at right angles; and the same rotations of the unit matrix.
struct jacobi_columns {
  template <class T, int N, int M>
  constexpr auto operator()(expr<T, N, M> const& given) const {
    using rows = expr<T, N, M>;
    using turns = expr<T, N, N>;
    auto const step = [](auto state, auto) {
      rows const w = std::get<0>(state);
      turns const v = std::get<1>(state);
      auto const worst = std::get<2>(state);
      auto const p = index_read(w, exprax::slice<0, N / 2>);
      auto const q = index_read(w, exprax::slice<N / 2, N>);
      auto const pp = sum(squared_magnitude(p), axis<1>);
      auto const qq = sum(squared_magnitude(q), axis<1>);
      auto const pq = sum(multiply(conjugated(p), q), axis<1>);
      auto const sizes = sqrt(multiply(pp, qq));
      auto const cosine = where(equal(sizes, 0), 0, divide(abs(pq), where(equal(sizes, 0), 1, sizes)));
      handle columns = untyped::from(w), basis = untyped::from(v);
      auto const angle = [&] {
        if constexpr (is_complex(dtype_of<T>)) return jacobi_angle(pp, abs(pq), qq);
        else return jacobi_angle(pp, pq, qq);
      }();
      if constexpr (is_complex(dtype_of<T>)) {
        auto const e = expanded<1>(conjugated(direction_of(pq)));
        columns = with_directions(columns, 0, untyped::from(e));
        basis = with_directions(basis, 0, untyped::from(e));
      }
      auto const c = expanded<1>(as_expr<T>(std::get<0>(angle)));
      auto const s = expanded<1>(as_expr<T>(std::get<1>(angle)));
      handle const next_w = next_round(turned(columns, 0, untyped::from(c), untyped::from(s)), 0);
      handle const next_v = next_round(turned(basis, 0, untyped::from(c), untyped::from(s)), 0);
      return std::tuple(std::tuple(untyped::as<rows>(next_w), untyped::as<turns>(next_v), maximum(worst, max(cosine))), none);
    };
    auto const sweep = [step](auto state) {
      auto const start = std::tuple(std::get<0>(state), std::get<1>(state), expr<real_part_t<T>>(zeros_like(std::get<2>(state))));
      auto const after = std::get<0>(scan(step, start, length<(N > 2 ? N - 1 : 1)>));
      return std::tuple(std::get<0>(after), std::get<1>(after), std::get<2>(after), add(std::get<3>(state), 1));
    };
    auto const goes_on = [](auto state) {
      constexpr auto epsilon = std::numeric_limits<strong_t<real_part_t<T>>>::epsilon();
      return logical_and(greater(std::get<2>(state), epsilon), less(std::get<3>(state), 30));
    };
    using part = real_part_t<T>;
    expr<part> const far = constant_like<expr<part>>(given, strong_t<part>(1));
    expr<std::int32_t> const none_yet = constant_like<expr<std::int32_t>>(given, 0);
    auto const result = while_loop(goes_on, sweep, std::tuple(given, turns(exprax::eye<T, N>()), far, none_yet));
    return std::tuple(std::get<0>(result), std::get<1>(result));
  }
};
template <class T, int N, int M>
constexpr std::tuple<expr<T, N, M>, expr<T, N, N>> orthogonal_rows(expr<T, N, M> const& w) {
  if constexpr (N <= 1) {
    return {w, expr<T, N, N>(constant_like<expr<T, N, N>>(w, strong_t<T>(1)))};
  } else if constexpr (N % 2 == 0) {
    return jacobi_columns{}(w);
  } else {
    auto const wide = pad_body<0, 1, 0, 0>{}(w, expr<T>(as_expr<T>(0)));
    auto const turned_rows = jacobi_columns{}(wide);
    auto const v = std::get<1>(turned_rows);
    return {index_read(std::get<0>(turned_rows), exprax::slice<0, N>), index_read(v, exprax::slice<0, N>, exprax::slice<0, N>)};
  }
}

enum class svd_form { full, reduced, values };
template <svd_form Form>
struct svd_of {
  template <class T, int M, int N>
  constexpr auto operator()(expr<T, M, N> const& a) const {
    if constexpr (M < N) {
      auto const columns = transpose_op<1, 0>{}(a);
      auto const parts = svd_of{}(columns);
      if constexpr (Form == svd_form::values) return parts;
      else return std::tuple(transpose_op<1, 0>{}(std::get<2>(parts)), std::get<1>(parts), transpose_op<1, 0>{}(std::get<0>(parts)));
    } else if constexpr (N == 0) {
      using part = real_part_t<T>;
      expr<part, 0> const none_at_all = constant_like<expr<part, 0>>(a, strong_t<part>(0));
      if constexpr (Form == svd_form::values) return none_at_all;
      else if constexpr (Form == svd_form::reduced) return std::tuple(a, none_at_all, expr<T, 0, 0>(exprax::eye<T, 0>()));
      else return std::tuple(expr<T, M, M>(exprax::eye<T, M>()), none_at_all, expr<T, 0, 0>(exprax::eye<T, 0>()));
    } else {
      return tall(a);
    }
  }

 private:
  template <class T, int M, int N>
  static constexpr auto tall(expr<T, M, N> const& a) {
    // By the largest element, so that squares do not overflow.
    auto const largest = max(abs(a));
    auto const scale = where(equal(largest, 0), 1, largest);
    expr<T, N, M> const columns = transpose_op<1, 0>{}(divide(a, scale));
    auto const turned_rows = orthogonal_rows(columns);
    auto const w = std::get<0>(turned_rows);
    auto const v = std::get<1>(turned_rows);
    auto const sizes = sqrt(sum(squared_magnitude(w), axis<1>));
    auto const order = exprax::argsort(negative(sizes));
    auto const sorted = vmap([sizes](auto i) { return sizes(i); })(order);
    expr<real_part_t<T>, N> const values = multiply(sorted, scale);
    if constexpr (Form == svd_form::values) {
      return values;
    } else {
      auto const rows_w = vmap([w](auto i) { return w(i); })(order);
      auto const rows_v = vmap([v](auto i) { return v(i); })(order);
      auto const is_there = greater(sorted, std::numeric_limits<strong_t<real_part_t<T>>>::min());
      auto const units = divide(rows_w, expanded<1>(where(is_there, sorted, 1)));
      expr<T, M, N> const u = transpose_op<1, 0>{}(units);
      // Columns of singular values 0, and those beyond N: what reflections make of the others has them at right angles.
      auto const q = std::get<0>(householder{}(u));
      auto const q_left = index_read(q, all, exprax::slice<0, N>);
      auto const left = where(expanded<0>(is_there), u, q_left);
      expr<T, N, N> const vh = conjugated(rows_v);
      if constexpr (Form == svd_form::reduced || M == N) {
        return std::tuple(expr<T, M, N>(left), values, vh);
      } else {
        auto const rest = index_read(q, all, exprax::slice<N, M>);
        expr<T, M, N> const first = left;
        return std::tuple(joined<1>(first, rest), values, vh);
      }
    }
  }
};
template <svd_form Form>
struct svd_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    return named_call<each_matrix_op<svd_of<Form>>>("svd", a);
  }
};
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

}  // namespace detail

namespace linalg {

// (U, S, V^H) with a = U diag(S) V^H, S real and descending, U and V^H with orthonormal columns and rows: [..., m, n] -> [..., m, m],
// [..., k], [..., n, n], k = min(m, n); with ex::linalg::reduced U [..., m, k] and V^H [..., k, n] (full_matrices=False). Integers become
// float32 (x64: float64). Refused: fewer than two axes (jax.numpy.linalg.svd).
template <array_like A>
constexpr auto svd(A const& a) {
  static_assert(detail::is_a_matrix<A>, "exprax: linalg.svd: the argument must be matrices");
  if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::svd_op<detail::svd_form::full>>(a);
  else return a;  // after the error: nothing that leads to others
}
template <array_like A>
constexpr auto svd(A const& a, reduced_t) {
  static_assert(detail::is_a_matrix<A>, "exprax: linalg.svd: the argument must be matrices");
  if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::svd_op<detail::svd_form::reduced>>(a);
  else return a;  // after the error: nothing that leads to others
}
// The singular values alone, descending: [..., m, n] -> [..., min(m, n)], real (jax.numpy.linalg.svdvals).
template <array_like A>
constexpr auto svdvals(A const& a) {
  static_assert(detail::is_a_matrix<A>, "exprax: linalg.svdvals: the argument must be matrices");
  if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::svd_op<detail::svd_form::values>>(a);
  else return a;  // after the error: nothing that leads to others
}
}  // namespace linalg

namespace detail {

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
template <array_like A>
constexpr auto pinv(A const& a) {
  static_assert(detail::is_a_matrix<A>, "exprax: linalg.pinv: the argument must be matrices");
  if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::each_matrix_op<detail::pinv_of>>(a);
  else return a;  // after the error: nothing that leads to others
}
// The same with singular values up to rtol times the largest as 0; rtol is a number, or one for each matrix.
template <array_like A, array_like R>
constexpr auto pinv(A const& a, R const& rtol) {
  static_assert(detail::is_a_matrix<A>, "exprax: linalg.pinv: the argument must be matrices");
  if constexpr (detail::is_a_matrix<A> && detail::aval_in<A>.size() > 0) return detail::apply<detail::limited_pinv_op>(a, rtol);
  else return pinv(a);
}
// How many singular values are above max(m, n) eps times the largest: int32, [..., m, n] -> [...]. Of a vector or a number: 1 if an
// element is not 0, else 0 (jax.numpy.linalg.matrix_rank).
template <array_like A>
constexpr auto matrix_rank(A const& a) {
  if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::each_matrix_op<detail::rank_of>>(a);
  else return detail::apply<detail::any_op>(a);
}
// How many are above rtol itself, a number or one for each matrix, as in JAX: it is not multiplied with the largest. Refused: fewer than
// two axes.
template <array_like A, array_like R>
constexpr auto matrix_rank(A const& a, R const& rtol) {
  static_assert(detail::is_a_matrix<A>, "exprax: linalg.matrix_rank: with a limit the argument must be matrices");
  if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::limited_rank_op>(a, rtol);
  else return matrix_rank(a);
}
// (x, residuals, rank, singular values): x of the least |a x - b|, and the shortest of these. a [m, n], b [m] or [m, k] -> x [n] or [n,
// k], residuals [1] or [k], int32 scalar, [min(m, n)]. Singular values below rcond (max(m, n) eps if not given) times the largest count as
// 0. The promoted dtype; integers become float32 (x64: float64). Refused: other ranks, another number of rows (jax.numpy.linalg.lstsq).
template <array_like A, array_like B, array_like... R>
  requires(sizeof...(R) <= 1)
constexpr auto lstsq(A const& a, B const& b, R const&... rcond) {
  static_assert(detail::rank_in<A> == 2 && (detail::rank_in<B> == 1 || detail::rank_in<B> == 2) && detail::aval_in<A>.dims[0] == detail::aval_in<B>.dims[0],
                "exprax: linalg.lstsq: a must be a matrix, and b a vector or matrix with as many rows");
  if constexpr ((detail::rank_in<A> == 2 && (detail::rank_in<B> == 1 || detail::rank_in<B> == 2) && detail::aval_in<A>.dims[0] == detail::aval_in<B>.dims[0]))
    return detail::apply<detail::lstsq_op>(a, b, rcond...);
  else return a;  // after the error: nothing that leads to others
}

}  // namespace linalg

}  // namespace exprax
