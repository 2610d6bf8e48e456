// SPDX-License-Identifier: BSL-1.0
// cholesky and systems with triangular matrices: linalg::cholesky (jax.numpy.linalg), triangular_solve (jax.lax.linalg),
// linalg::solve_triangular and cho_solve (jax.scipy.linalg). Matrices stand in the last two axes.
#pragma once

#include <exprax/api/vmap/vmap.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/complex.hpp>
#include <exprax/numpy/shape/triangles.hpp>

namespace exprax {

// How triangular_solve reads its matrix: triangular_solve<triangular{.left_side = true, .lower = true}>(a, b).
struct triangular {
  bool left_side = false, lower = false, transpose_a = false, conjugate_a = false, unit_diagonal = false;
};

namespace detail {

// A function of matrices for each matrix of a stack.
template <int Core, class F, class... X>
constexpr auto over_stacks(F const& f, X const&... x) {
  constexpr int most = [] {
    int r = 0;
    ((r = rank_in<X> > r ? rank_in<X> : r), ...);
    return r;
  }();
  if constexpr (most > Core) return vmap([f](auto... matrix) { return over_stacks<Core>(f, matrix...); })(x...);
  else return f(x...);
}
// Of on each matrix of a stack, in its inexact dtype.
template <class Of>
struct each_matrix_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    using type = strong_t<inexact_t<type_in<A>>>;
    auto const x = expr_like<A, type>(as_expr<type>(a));
    return over_stacks<2>(Of{}, x);
  }
};

template <triangular How, tracer A, tracer B>
constexpr B record_triangular_solve(A const& a, B const& b) {
  int const flags[] = {How.left_side, How.lower, How.transpose_a, How.conjugate_a, How.unit_diagonal};
  return detail::bind<B>(prim::triangular_solve, flags, a, b);
}
// What real numbers leave as it is; and matrices with rows for columns.
template <tracer X>
constexpr X conjugated(X const& x) {
  if constexpr (has_complex_elements<X>) return conj_op{}(x);
  else return x;
}
template <tracer X>
constexpr auto adjoint_of(X const& x) {
  return conjugated(swapaxes_op<-2, -1>{}(x));
}

// A vector is one column, or one row.
template <triangular How>
struct triangular_solve_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    auto const x = as_traced(a);
    auto const y = as_traced(b);
    if constexpr (rank_in<B> == rank_in<A> - 1) {
      auto const wide = expanded<(How.left_side ? -1 : -2)>(y);
      auto const solved = record_triangular_solve<How>(x, wide);
      return squeeze_op<(How.left_side ? -1 : -2)>{}(solved);
    } else {
      return record_triangular_solve<How>(x, y);
    }
  }
};

template <bool Upper, bool Symmetrize>
struct cholesky_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    using type = inexact_t<type_in<X>>;
    using out = expr_like<X, type>;
    out const a = as_expr<type>(x);
    out const l = detail::bind<out>(prim::cholesky, {}, symmetric(a));
    if constexpr (Upper) return out(adjoint_of(l));
    else return l;
  }

 private:
  template <class E>
  static constexpr E symmetric(E const& a) {
    if constexpr (!Symmetrize) {
      // Of the triangle that is meant: the other one is not read.
      if constexpr (Upper) return adjoint_of(a);
      else return a;
    } else {
      auto const adjoint = adjoint_of(a);
      auto const both = add(a, adjoint);
      return divide(both, 2);
    }
  }
};
template <bool Upper, bool Symmetrize>
struct cholesky_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<cholesky_body<Upper, Symmetrize>>("cholesky", x);
  }
};

template <class A, class B>
using inexact_pair = inexact_t<promote_t<type_in<A>, type_in<B>>>;

template <bool Lower, bool Transposed, bool Unit, bool Conjugated>
struct solve_triangular_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = strong_t<inexact_pair<A, B>>;
    auto const x = expr_like<A, type>(as_expr<type>(a));
    auto const y = expr_like<B, type>(as_expr<type>(b));
    return triangular_solve_op<triangular{
        .left_side = true, .lower = Lower, .transpose_a = Transposed, .conjugate_a = Conjugated, .unit_diagonal = Unit}>{}(x, y);
  }
};
template <bool Lower, bool Transposed, bool Unit, bool Conjugated = false>
struct solve_triangular_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<solve_triangular_body<Lower, Transposed, Unit, Conjugated>>("solve_triangular", a, b);
  }
};
template <bool Lower>
struct cho_solve_op {
  template <operand C, operand B>
  constexpr auto operator()(C const& c, B const& b) const {
    constexpr bool conjugate = has_complex_elements<C>;
    auto const first = solve_triangular_op<Lower, !Lower, false, conjugate && !Lower>{}(c, b);
    return solve_triangular_op<Lower, Lower, false, conjugate && Lower>{}(c, first);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class A, class B, bool Left>
inline constexpr bool solves_for = [] {
  if constexpr (!is_square<A> || rank_in<B> == 0 || rank_in<B> < rank_in<A> - 1 || rank_in<B> > rank_in<A>) {
    return false;
  } else {
    bool const vector = rank_in<B> == rank_in<A> - 1;
    for (int i = 0; i < rank_in<A> - 2; ++i)
      if (aval_in<A>.dims[i] != aval_in<B>.dims[i]) return false;
    return aval_in<B>.dims[rank_in<B> - (vector || !Left ? 1 : 2)] == rows_in<A>;
  }
}();

}  // namespace detail

// x with op(a) x = b (left_side) or x op(a) = b, a triangular; the other triangle is not read. a [..., n, n], b [..., n, m] (or [..., m,
// n]) or vectors [..., n]; shape and dtype of b. Refused: a that is not square, leading axes or sizes that differ, dtypes that are not one
// floating or complex dtype (jax.lax.linalg.triangular_solve, StableHLO triangular_solve).
template <triangular How = triangular{}, array_like A, array_like B>
constexpr auto triangular_solve(A const& a, B const& b) {
  static_assert(detail::is_square<A>, "exprax: triangular_solve: the first input must be a square matrix");
  static_assert(detail::solves_for<A, B, How.left_side>,
                "exprax: triangular_solve: incompatible shapes: b must have as many rows (columns) as a");
  static_assert(detail::aval_in<A>.type == detail::aval_in<B>.type && is_inexact(detail::aval_in<A>.type),
                "exprax: triangular_solve requires arguments to have the same floating or complex dtype");
  if constexpr (detail::is_square<A> && detail::solves_for<A, B, How.left_side> && detail::aval_in<A>.type == detail::aval_in<B>.type &&
                is_inexact(detail::aval_in<A>.type))
    return detail::apply<detail::triangular_solve_op<How>>(a, b);
  else return a;  // after the error: nothing that leads to others
}

namespace linalg {

struct upper_t {};
// cholesky, cho_solve: the upper triangle. solve_triangular: where nothing is given, as SciPy's.
inline constexpr upper_t upper{};
struct lower_t {};
// solve_triangular: the lower triangle.
inline constexpr lower_t lower{};

// L with L L^H = (a + a^H) / 2, zeros above; with ex::linalg::upper L^H. NaN everywhere if a is not positive definite. [..., n, n] ->
// [..., n, n]; integers become float32 (x64: float64). Refused: matrices that are not square (jax.numpy.linalg.cholesky, StableHLO
// cholesky).
inline constexpr struct cholesky_function {
  template <array_like X>
  constexpr auto operator()(X const& a) const {
    static_assert(detail::is_square<X>, "exprax: linalg.cholesky: the argument must be square matrices");
    if constexpr (detail::is_square<X>) return detail::apply<detail::cholesky_op<false, true>>(a);
    else return a;  // after the error: nothing that leads to others
  }
  template <array_like X>
  constexpr auto operator()(X const& a, upper_t) const {
    static_assert(detail::is_square<X>, "exprax: linalg.cholesky: the argument must be square matrices");
    if constexpr (detail::is_square<X>) return detail::apply<detail::cholesky_op<true, true>>(a);
    else return a;  // after the error: nothing that leads to others
  }
} cholesky{};
// solve_triangular<lower, transposed, unit_diagonal>(a, b): x with a x = b (or a^T x = b). a [..., n, n], b [..., n] or [..., n, m] -> b's
// shape. The promoted dtype; integers become float32 (x64: float64). Refused: a that is not square, another number of rows
// (jax.scipy.linalg.solve_triangular).
template <bool Lower = false, bool Transposed = false, bool Unit = false, array_like A, array_like B>
constexpr auto solve_triangular(A const& a, B const& b) {
  static_assert(detail::solves_for<A, B, true>, "exprax: linalg.solve_triangular: a must be square, and b have as many rows");
  if constexpr (detail::solves_for<A, B, true>) return detail::apply<detail::solve_triangular_op<Lower, Transposed, Unit>>(a, b);
  else return a;  // after the error: nothing that leads to others
}
template <array_like A, array_like B>
constexpr auto solve_triangular(A const& a, B const& b, lower_t) {
  return solve_triangular<true>(a, b);
}
template <array_like A, array_like B>
constexpr auto solve_triangular(A const& a, B const& b, upper_t) {
  return solve_triangular<false>(a, b);
}
// x with A x = b, from the factor c that cholesky makes of A: the lower one, or the upper one with ex::linalg::upper. Shapes, dtype and
// errors as of solve_triangular (jax.scipy.linalg.cho_solve).
inline constexpr struct cho_solve_function {
  template <array_like C, array_like B>
  constexpr auto operator()(C const& c, B const& b) const {
    static_assert(detail::solves_for<C, B, true>, "exprax: linalg.cho_solve: c must be square, and b have as many rows");
    if constexpr (detail::solves_for<C, B, true>) return detail::apply<detail::cho_solve_op<true>>(c, b);
    else return c;  // after the error: nothing that leads to others
  }
  template <array_like C, array_like B>
  constexpr auto operator()(C const& c, B const& b, upper_t) const {
    static_assert(detail::solves_for<C, B, true>, "exprax: linalg.cho_solve: c must be square, and b have as many rows");
    if constexpr (detail::solves_for<C, B, true>) return detail::apply<detail::cho_solve_op<false>>(c, b);
    else return c;  // after the error: nothing that leads to others
  }
} cho_solve{};

}  // namespace linalg

namespace lax {

using exprax::triangular_solve;
// linalg::cholesky; with Symmetrize = false of the lower triangle alone, the other one is not read. Refused: matrices that are not square
// (jax.lax.linalg.cholesky).
template <bool Symmetrize = true, array_like X>
constexpr auto cholesky(X const& a) {
  static_assert(detail::is_square<X>, "exprax: lax.cholesky: the argument must be square matrices");
  if constexpr (detail::is_square<X>) return detail::apply<detail::cholesky_op<false, Symmetrize>>(a);
  else return a;  // after the error: nothing that leads to others
}

}  // namespace lax

}  // namespace exprax
