// SPDX-License-Identifier: BSL-1.0
// Polynomials from roots and points, and their quotients (jax.numpy): poly, polydiv, polyfit.
#pragma once

#include <exprax/numpy/core/grids.hpp>
#include <exprax/numpy/linalg/least_squares.hpp>
#include <exprax/numpy/reductions/reduction_options.hpp>
#include <exprax/numpy/statistics/polynomials.hpp>

namespace exprax {

namespace detail {

// (x - r_0) (x - r_1) ...: each factor is one coefficient more.
struct poly_op {
  template <operand R>
  constexpr auto operator()(R const& roots) const {
    using type = strong_t<inexact_t<type_in<R>>>;
    constexpr int n = aval_in<R>.dims[0];
    auto const r = expr_like<R, type>(as_expr<type>(roots));
    if constexpr (n == 0) return expr<type>(constant_like<expr<type>>(r, convert_number<type>(1)));
    else return times<0, n>(constant_like<expr<type, 1>>(r, convert_number<type>(1)), r);
  }

 private:
  template <int K, int N, class P, class R>
  static constexpr auto times(P const& p, R const& r) {
    if constexpr (K == N) {
      return p;
    } else {
      using type = typename P::dtype_type;
      auto const zero = constant_like<expr<type, 1>>(r, convert_number<type>(0));
      return times<K + 1, N>(joined<0>(p, zero) - r(K) * joined<0>(zero, p), r);
    }
  }
};
// The quotient and what remains, of u's size.
struct polydiv_op {
  template <operand U, operand V>
  constexpr auto operator()(U const& u, V const& v) const {
    using type = strong_t<inexact_t<promote_t<type_in<U>, type_in<V>>>>;
    constexpr int m = aval_in<U>.dims[0] - 1, n = aval_in<V>.dims[0] - 1, size = m >= n ? m - n + 1 : 1;
    auto const rest = expr_like<U, type>(as_expr<type>(u));
    auto const divisor = expr_like<V, type>(as_expr<type>(v));
    auto const scale = divide(1, divisor(0));
    return step<0, (m >= n ? size : 0)>(constant_like<expr<type, size>>(rest, convert_number<type>(0)), rest, divisor, scale);
  }

 private:
  template <int K, int Steps, class Q, class U, class V, class S>
  static constexpr auto step(Q const& q, U const& u, V const& v, S const& scale) {
    if constexpr (K == Steps) {
      return std::tuple(q, u);
    } else {
      auto const d = scale * u(K);
      Q const quotient = q.at(K).set(d);
      U const rest = u.at(slice<K, K + V::extent(0)>).add(-d * v);
      return step<K + 1, Steps>(quotient, rest, v, scale);
    }
  }
};
// The coefficients of the least squares: powers of x as columns, scaled to length 1.
template <int Degree>
struct polyfit_op {
  template <operand X, operand Y, operand... W>
  constexpr auto operator()(X const& x, Y const& y, W const&... w) const {
    using type = strong_t<inexact_t<promote_t<type_in<X>, promote_t<type_in<Y>, type_in<W>...>>>>;
    auto const powers = as_expr<type>(vander_op<Degree + 1, false>{}(as_expr<strong_t<inexact_t<type_in<X>>>>(x)));
    auto const target = as_expr<type>(y);
    if constexpr (sizeof...(W) == 0) return solved(powers, target);
    else if constexpr (rank_in<Y> == 1) return solved(powers * expanded<1>(as_expr<type>(w))..., target * (as_expr<type>(w), ...));
    else return solved(powers * expanded<1>(as_expr<type>(w))..., target * expanded<1>((as_expr<type>(w), ...)));
  }

 private:
  template <class A, class B>
  static constexpr auto solved(A const& a, B const& b) {
    auto const scale = sqrt(sum(a * a, axis<0>));
    auto const c = std::get<0>(lstsq_op{}(a / scale, b));
    if constexpr (B::rank == 1) return c / scale;
    else return c / expanded<1>(scale);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, class Y>
inline constexpr bool are_fitted_points = rank_in<X> == 1 && aval_in<X>.dims[0] > 0 &&
                                          (rank_in<Y> == 1 || rank_in<Y> == 2) && aval_in<X>.dims[0] == aval_in<Y>.dims[0];

}  // namespace detail

// The polynomial with these zeros and the highest coefficient 1: [n] -> [n + 1], of no zeros the scalar 1; integers become float32 (x64:
// float64). Refused: zeros that are not a vector, also matrices, of which JAX takes the eigenvalues (jax.numpy.poly).
inline constexpr struct poly_function {
  template <array_like R>
  constexpr auto operator()(R const& zeros) const {
    static_assert(detail::are_vectors<R>, "exprax: poly: the zeros must be a 1-dimensional array: those of a matrix are its eigenvalues");
    if constexpr (detail::are_vectors<R>) return detail::apply<detail::poly_op>(zeros);
    else return zeros;  // after the error: nothing that leads to others
  }
} poly{};
// (quotient, remainder) of u / v: [n], [m] -> [n - m + 1] ([1] if n < m) and [n], with zeros in front. The promoted dtype; integers become
// float32 (x64: float64). Refused: arguments that are not vectors (jax.numpy.polydiv).
inline constexpr struct polydiv_function {
  template <array_like U, array_like V>
  constexpr auto operator()(U const& u, V const& v) const {
    static_assert(detail::are_vectors<U, V>, "exprax: polydiv: polynomials are 1-dimensional arrays");
    if constexpr (detail::are_vectors<U, V>) return detail::apply<detail::polydiv_op>(u, v);
    else return std::tuple(u, v);
  }
} polydiv{};
// The polynomial of degree n that is nearest to the points in the sum of squares: polyfit<n>(x, y). x [m], y [m] or [m, k] -> [n + 1] or
// [n + 1, k]. weights(w), a vector: how much each miss counts. The promoted dtype; integers become float32 (x64: float64). Refused: a
// negative degree, other ranks or sizes, no points (jax.numpy.polyfit).
template <int Degree, array_like X, array_like Y>
constexpr auto polyfit(X const& x, Y const& y) {
  static_assert(Degree >= 0, "exprax: polyfit: expected deg >= 0");
  static_assert(detail::are_fitted_points<X, Y>,
                "exprax: polyfit: expected a non-empty 1D vector for x, and a 1D or 2D array of the same length for y");
  if constexpr (Degree >= 0 && detail::are_fitted_points<X, Y>) return detail::apply<detail::polyfit_op<Degree>>(x, y);
  else return y;
}
template <int Degree, array_like X, array_like Y, class W>
constexpr auto polyfit(X const& x, Y const& y, detail::weights_option<W> const& w) {
  static_assert(Degree >= 0, "exprax: polyfit: expected deg >= 0");
  static_assert(detail::are_fitted_points<X, Y>,
                "exprax: polyfit: expected a non-empty 1D vector for x, and a 1D or 2D array of the same length for y");
  constexpr bool weighs_each = detail::aval_in<W>.same_shape(detail::aval_in<X>);
  static_assert(weighs_each, "exprax: polyfit: expected w and y to have the same length");
  if constexpr (Degree >= 0 && detail::are_fitted_points<X, Y> && weighs_each)
    return detail::apply<detail::polyfit_op<Degree>>(x, y, w.value);
  else return y;
}

}  // namespace exprax
