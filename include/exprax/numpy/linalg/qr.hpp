// SPDX-License-Identifier: BSL-1.0
// linalg::qr: a = Q R by Householder reflections, with the signs of LAPACK (jax.numpy.linalg.qr). Few columns: one step of code each,
// so that under vmap many matrices run in lanes; more of them in a loop.
#pragma once

#include <exprax/api/control/fori_loop.hpp>
#include <exprax/api/derivatives/custom_jvp.hpp>
#include <exprax/numpy/indexing/at.hpp>
#include <exprax/numpy/linalg/elimination.hpp>
#include <exprax/numpy/linalg/triangular.hpp>
#include <exprax/numpy/products/matmul.hpp>

namespace exprax {

namespace linalg {

// The forms of qr and svd: Q of all rows; R alone; singular values alone.
struct complete_t {};
inline constexpr complete_t complete{};
struct r_only_t {};
inline constexpr r_only_t r_only{};

}  // namespace linalg

namespace detail {

// The whole Q [M, M] and R [M, N].
struct householder {
  template <class T, int M, int N>
  constexpr auto operator()(expr<T, M, N> const& a) const {
    // The last one makes a complex diagonal real.
    constexpr int rows = is_complex(dtype_of<T>) ? M : M - 1, steps = rows < N ? rows : N;
    auto const start = std::tuple(expr<T, M, M>(exprax::eye<T, M>()), a);
    if constexpr (steps <= 0) return start;
    else if constexpr (steps <= small_matrix_size) return unrolled<0, steps>(start);
    else return fori_loop(0, steps, [](auto k, auto state) { return step(k, state); }, start);
  }

 private:
  template <int K, int End, class State>
  static constexpr State unrolled(State state) {
    for (int k = K; k < End; ++k) state = step(k, state);
    return state;
  }
  template <class X>
  static constexpr auto real_part_of(X const& x) {
    if constexpr (has_complex_elements<X>) return real(x);
    else return x;
  }
  // conj(tau) v
  template <class Tau, class V>
  static constexpr V back(Tau const& tau, V const& v, V const& scaled) {
    if constexpr (has_complex_elements<V>) return multiply(conjugated(tau), v);
    else return scaled;
  }
  template <class X, class F>
  static constexpr auto is_real_too(X const& x, F const& also) {
    if constexpr (has_complex_elements<X>) return logical_and(also, equal(imag(x), 0));
    else return also;
  }
  // The reflection 1 - tau v v^H whose adjoint takes column k to a real beta at place k and zeros below (LAPACK's larfg): v is 1 at place
  // k.
  template <class K, class T, int M, int N>
  static constexpr std::tuple<expr<T, M, M>, expr<T, M, N>> step(K const& k, std::tuple<expr<T, M, M>, expr<T, M, N>> const& state) {
    auto const q = std::get<0>(state);
    auto const r = std::get<1>(state);
    auto const rows = broadcasted_iota_near<std::int32_t, 0, M>(r);
    auto const columns = broadcasted_iota_near<std::int32_t, 0, N>(r);
    auto const column = r(all, k);
    auto const alpha = r(k, k);
    auto const below = greater(rows, k);
    auto const tail = where(below, column, 0);
    auto const tail_squared = sum(squared_magnitude(tail));
    auto const size = sqrt(add(squared_magnitude(alpha), tail_squared));
    auto const is_done = is_real_too(alpha, equal(tail_squared, 0));
    auto const front = real_part_of(alpha);
    auto const beta = where(is_done, front, where(less(front, 0), size, negative(size)));
    auto const safe = where(is_done, 1, beta);
    auto const tau = where(is_done, 0, divide(subtract(beta, alpha), safe));
    auto const scale = divide(1, where(is_done, 1, subtract(alpha, beta)));
    auto const v = where(equal(rows, k), 1, multiply(tail, scale));
    auto const scaled = multiply(tau, v);
    auto const row = dot(conjugated(v), r);
    auto const reflected = subtract(r, multiply(expanded<1>(back(tau, v, scaled)), expanded<0>(row)));
    auto const in_column = expanded<0>(equal(columns, k));
    auto const exact = where(below, 0, where(equal(rows, k), beta, column));
    auto const next = where(in_column, expanded<1>(exact), reflected);
    auto const q_v = dot(q, scaled);
    auto const next_q = subtract(q, multiply(expanded<1>(q_v), expanded<0>(conjugated(v))));
    return {expr<T, M, M>(next_q), expr<T, M, N>(next)};
  }
};
enum class qr_form { reduced, complete, r_only };
template <qr_form Form>
struct qr_of {
  template <class T, int M, int N>
  constexpr auto operator()(expr<T, M, N> const& a) const {
    constexpr int k = M < N ? M : N;
    auto const whole = householder{}(a);
    auto const q = std::get<0>(whole);
    auto const r = std::get<1>(whole);
    if constexpr (Form == qr_form::complete) {
      return std::tuple(q, r);
    } else {
      auto const top = index_read(r, exprax::slice<0, k>);
      if constexpr (Form == qr_form::r_only) return top;
      else return std::tuple(index_read(q, all, exprax::slice<0, k>), top);
    }
  }
};
// jax.lax.linalg's qr_jvp_rule: with X = Q^H da R^-1, dR is (X - S) R and dQ is Q (S - X) + da R^-1, where S is antihermitian with the
// lower triangle of X. Of more columns than rows the first ones give Q, and Q^H (da - dQ R) is dR for the others.
struct qr_rule {
  template <class T, int M, int N, int K>
  constexpr auto operator()(std::tuple<expr<T, M, N>> const&, std::tuple<expr<T, M, K>, expr<T, K, N>> const& factors,
                            std::tuple<expr<T, M, N>> const& by) const {
    constexpr int k = K;
    auto const& [q, r] = factors;
    auto const& [da] = by;
    auto const q_adjoint = conjugated(transpose_op<1, 0>{}(q));
    auto const square = columns<0, k>(r);
    auto const da_by_r = record_triangular_solve<triangular{}>(square, columns<0, k>(da));
    auto const x = matmul(q_adjoint, da_by_r);
    auto const rest = subtract(x, antihermitian(x));
    auto const dq = subtract(da_by_r, matmul(q, rest));
    auto const first = matmul(rest, square);
    if constexpr (N == k) {
      return std::tuple(dq, first);
    } else {
      auto const others = matmul(q_adjoint, subtract(columns<k, N>(da), matmul(dq, columns<k, N>(r))));
      return std::tuple(dq, joined<1>(first, others));
    }
  }

 private:
  template <int First, int Last, class T, int M, int N>
  static constexpr expr<T, M, Last - First> columns(expr<T, M, N> const& x) {
    if constexpr (First == 0 && Last == N) return x;
    else return index_read(x, all, exprax::slice<First, Last>);
  }
  template <class T, int N>
  static constexpr auto antihermitian(expr<T, N, N> const& x) {
    auto const below = triangle_op<-1, true>{}(x);
    auto const s = subtract(below, conjugated(transpose_op<1, 0>{}(below)));
    // The diagonal of R stays real.
    if constexpr (is_complex(dtype_of<T>)) return add(s, multiply(exprax::eye<T, N>(), subtract(x, astype<T>(real(x)))));
    else return s;
  }
};
inline constexpr auto differentiable_qr = custom_jvp_of_results(qr_of<qr_form::reduced>{}, qr_rule{});
struct r_only_rule {
  template <class T, int M, int N>
  constexpr auto operator()(std::tuple<expr<T, M, N>> const& at, std::tuple<expr<T, M, N>> const& by) const {
    auto const factors = differentiable_qr(std::get<0>(at));
    return std::tuple(std::get<1>(factors), std::get<1>(qr_rule{}(at, factors, by)));
  }
};
// The last columns of a Q with more columns than R has rows may be any at right angles: the derivative is that of the reflections.
template <qr_form Form>
struct qr_with_rule {
  template <class T, int M, int N>
  constexpr auto operator()(expr<T, M, N> const& a) const {
    if constexpr (M == 0 || N == 0 || (Form == qr_form::complete && M > N)) return qr_of<Form>{}(a);
    else if constexpr (Form == qr_form::r_only) return custom_jvp(qr_of<Form>{}, r_only_rule{})(a);
    else return differentiable_qr(a);
  }
};
template <qr_form Form>
struct qr_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    return named_call<each_matrix_op<qr_with_rule<Form>>>("qr", a);
  }
};

}  // namespace detail

namespace linalg {

// (Q, R) with a = Q R: [..., m, n] -> [..., m, k] with orthonormal columns and [..., k, n] upper triangular, k = min(m, n). Integers
// become float32 (x64: float64). Refused: fewer than two axes (jax.numpy.linalg.qr).
inline constexpr struct qr_function {
  template <array_like A>
  constexpr auto operator()(A const& a) const {
    static_assert(detail::is_a_matrix<A>, "exprax: linalg.qr: the argument must be matrices");
    if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::qr_op<detail::qr_form::reduced>>(a);
    else return a;  // after the error: nothing that leads to others
  }
  // mode="complete": Q [..., m, m], R [..., m, n].
  template <array_like A>
  constexpr auto operator()(A const& a, complete_t) const {
    static_assert(detail::is_a_matrix<A>, "exprax: linalg.qr: the argument must be matrices");
    if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::qr_op<detail::qr_form::complete>>(a);
    else return a;  // after the error: nothing that leads to others
  }
  // mode="r": R alone, [..., k, n].
  template <array_like A>
  constexpr auto operator()(A const& a, r_only_t) const {
    static_assert(detail::is_a_matrix<A>, "exprax: linalg.qr: the argument must be matrices");
    if constexpr (detail::is_a_matrix<A>) return detail::apply<detail::qr_op<detail::qr_form::r_only>>(a);
    else return a;  // after the error: nothing that leads to others
  }
} qr{};

}  // namespace linalg

}  // namespace exprax
