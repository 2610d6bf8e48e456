// SPDX-License-Identifier: BSL-1.0
// linalg::svd, svdvals (jax.numpy.linalg): singular values by one-sided Jacobi rotations of columns (Hestenes; Demmel and Veselic 1992),
// pair by pair in the order of eigh.hpp. Small values come out with their own relative accuracy.
#pragma once

#include <exprax/api/derivatives/custom_jvp.hpp>
#include <exprax/numpy/linalg/eigh.hpp>
#include <exprax/numpy/linalg/qr.hpp>

namespace exprax {

namespace linalg {

struct reduced_t {};
// svd: as many columns of U and rows of V^T as there are singular values (full_matrices=False).
inline constexpr reduced_t reduced{};

}  // namespace linalg

namespace detail {

// The columns of a matrix as rows, rotated until they are at right angles; and the same rotations of the unit matrix.
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
      handle const next_w = next_round(rotated(columns, 0, untyped::from(c), untyped::from(s)), 0);
      handle const next_v = next_round(rotated(basis, 0, untyped::from(c), untyped::from(s)), 0);
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
    auto const rotated_rows = jacobi_columns{}(wide);
    auto const v = std::get<1>(rotated_rows);
    return {index_read(std::get<0>(rotated_rows), exprax::slice<0, N>), index_read(v, exprax::slice<0, N>, exprax::slice<0, N>)};
  }
}

enum class svd_form { full, reduced, values };
// Of a matrix with at least as many rows as columns, which are at least one.
template <svd_form Form>
struct tall_svd {
  template <class T, int M, int N>
  constexpr auto operator()(expr<T, M, N> const& a) const {
    // By the largest element, so that squares do not overflow.
    auto const largest = max(abs(a));
    auto const scale = where(equal(largest, 0), 1, largest);
    expr<T, N, M> const columns = transpose_op<1, 0>{}(divide(a, scale));
    auto const rotated_rows = orthogonal_rows(columns);
    auto const w = std::get<0>(rotated_rows);
    auto const v = std::get<1>(rotated_rows);
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
template <class X>
constexpr auto adjoint(X const& x) {
  return conjugated(transpose_op<1, 0>{}(x));
}
// jax.lax.linalg's svd_jvp_rule; not for the full U of a matrix that is not square.
struct tall_svd_rule {
  template <class T, int M, int N, class S>
  constexpr auto operator()(std::tuple<expr<T, M, N>> const&, std::tuple<expr<T, M, N>, S, expr<T, N, N>> const& parts,
                            std::tuple<expr<T, M, N>> const& by) const {
    auto const& [u, s, vh] = parts;
    auto const v = adjoint(vh);
    auto const by_v = matmul(std::get<0>(by), v);
    auto const d = matmul(adjoint(u), by_v);
    auto const ds = real_parts(diagonal_body<0, 0, 1>{}(d));
    auto const column = expanded<1>(s);
    auto const row = expanded<0>(s);
    auto const gaps = multiply(add(row, column), subtract(row, column));
    auto const f = reciprocal_or_zero(gaps);
    auto const inverse = multiply(exprax::eye<strong_t<real_part_t<T>>, N>(), reciprocal_or_zero(row));
    auto const right = multiply(row, d);
    auto const left = multiply(column, d);
    auto const diagonal = multiply(multiply(subtract(d, adjoint(d)), 0.5f), inverse);
    auto const du = matmul(u, add(multiply(f, add(right, adjoint(right))), diagonal));
    auto const dvh = adjoint(matmul(v, multiply(f, add(left, adjoint(left)))));
    if constexpr (M == N) return std::tuple(du, ds, dvh);
    else return std::tuple(add(du, multiply(subtract(by_v, matmul(u, d)), reciprocal_or_zero(row))), ds, dvh);
  }

 private:
  template <class X>
  static constexpr auto reciprocal_or_zero(X const& x) {
    auto const is_zero = equal(x, 0);
    return where(is_zero, 0, divide(1, where(is_zero, 1, x)));
  }
};
inline constexpr auto differentiable_tall_svd = custom_jvp_of_results(tall_svd<svd_form::reduced>{}, tall_svd_rule{});
struct singular_values_rule {
  template <class T, int M, int N>
  constexpr auto operator()(std::tuple<expr<T, M, N>> const& at, std::tuple<expr<T, M, N>> const& by) const {
    auto const parts = differentiable_tall_svd(std::get<0>(at));
    auto const& [u, s, vh] = parts;
    auto const d = matmul(adjoint(u), matmul(std::get<0>(by), adjoint(vh)));
    return std::tuple(s, real_parts(diagonal_body<0, 0, 1>{}(d)));
  }
};
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
      if constexpr (Form == svd_form::values) return custom_jvp(tall_svd<Form>{}, singular_values_rule{})(a);
      else if constexpr (Form == svd_form::reduced || M == N) return differentiable_tall_svd(a);
      else return tall_svd<Form>{}(a);
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

}  // namespace detail

namespace linalg {

// (U, S, V^H) with a = U diag(S) V^H, S real and descending, U and V^H with orthonormal columns and rows: [..., m, n] -> [..., m, m],
// [..., k], [..., n, n], k = min(m, n); with ex::linalg::reduced U [..., m, k] and V^H [..., k, n] (full_matrices=False). Integers become
// float32 (x64: float64). The whole U and V^H of matrices that are not square have derivatives in forward mode alone. Refused: fewer than
// two axes (jax.numpy.linalg.svd).
inline constexpr struct svd_function {
  template <array_like A>
  constexpr auto operator()(A const& a) const {
    static_assert(detail::is_a_matrix<A>, "exprax: linalg.svd: the argument must be matrices");
    if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::svd_op<detail::svd_form::full>>(a);
    else return a;  // after the error: nothing that leads to others
  }
  template <array_like A>
  constexpr auto operator()(A const& a, reduced_t) const {
    static_assert(detail::is_a_matrix<A>, "exprax: linalg.svd: the argument must be matrices");
    if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::svd_op<detail::svd_form::reduced>>(a);
    else return a;  // after the error: nothing that leads to others
  }
} svd{};
// The singular values alone, descending: [..., m, n] -> [..., min(m, n)], real (jax.numpy.linalg.svdvals).
inline constexpr struct svdvals_function {
  template <array_like A>
  constexpr auto operator()(A const& a) const {
    static_assert(detail::is_a_matrix<A>, "exprax: linalg.svdvals: the argument must be matrices");
    if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::svd_op<detail::svd_form::values>>(a);
    else return a;  // after the error: nothing that leads to others
  }
} svdvals{};

}  // namespace linalg

}  // namespace exprax
