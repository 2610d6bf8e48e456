// SPDX-License-Identifier: BSL-1.0
// Polynomials as vectors of coefficients, the highest power first (jax.numpy): polyval, polyadd, polysub, polymul, polyder, polyint; and
// vander, the powers of points.
#pragma once

#include <exprax/api/control/scan.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/indexing/at.hpp>
#include <exprax/numpy/products/convolve.hpp>
#include <exprax/numpy/shape/joining.hpp>

namespace exprax {

namespace detail {

// Horner's rule, one coefficient per iteration.
struct polyval_body {
  template <tracer P, tracer X>
  constexpr auto operator()(P const& p, X const& x) const {
    using type = promote_t<type_in<P>, type_in<X>>;
    auto const coefficients = expr_like<P, type>(as_expr<type>(p));
    auto const at = expr_like<X, type>(as_expr<type>(x));
    using start = binary_result<type, row_of<expr_like<P, type>>, expr_like<X, type>>;
    auto const y = full_like_shape<typename start::type>(at);
    auto const step = [at](auto sum, auto coefficient) {
      auto const scaled = multiply(sum, at);
      return std::tuple(add(scaled, coefficient), none);
    };
    return std::get<0>(scan(step, y, coefficients, unroll<16>));
  }

 private:
  template <class P>
  struct row_shape {
    static constexpr aval value = P::type.without_axis(0);
  };
  template <class P>
  using row_of = expr_from<row_shape<P>>;
  template <class Out, class X>
  static constexpr Out full_like_shape(X const& x) {
    return constant_like<Out>(x, typename Out::value_type{});
  }
};
struct polyval_op {
  template <operand P, operand X>
  constexpr auto operator()(P const& p, X const& x) const {
    return named_call<polyval_body>("polyval", p, x);
  }
};
// The shorter one is added to the end of the longer one.
struct polyadd_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    auto const p = expr_like<A, type>(as_expr<type>(a));
    auto const q = expr_like<B, type>(as_expr<type>(b));
    if constexpr (B::extent(0) <= A::extent(0)) return p.at(slice<A::extent(0) - B::extent(0), none>).add(q);
    else return q.at(slice<B::extent(0) - A::extent(0), none>).add(p);
  }
};
struct polyadd_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<polyadd_body>("polyadd", a, b);
  }
};
struct polysub_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    auto const p = expr_like<A, type>(as_expr<type>(a));
    auto const q = negative(expr_like<B, type>(as_expr<type>(b)));
    return polyadd_op{}(p, q);
  }
};
struct polysub_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<polysub_body>("polysub", a, b);
  }
};

// The factors that M derivatives give to the powers N + M, N + M - 1, ..., M: k (k - 1) ... (k - M + 1).
template <class T, int N, int M>
constexpr expr<T, N> derivative_factors() {
  arena<std::uint64_t> bits;
  for (int i = 0; i < N; ++i) {
    double factor = 1;
    for (int j = 0; j < M; ++j) factor *= N - 1 - i + M - j;
    for (std::uint64_t b : element_patterns(convert_number<strong_t<T>>(factor)).of) bits.push(b);
  }
  return constant<expr<T, N>>(new_tape(), bits);
}
template <int M>
struct polyder_body {
  template <tracer P>
  constexpr auto operator()(P const& p) const {
    using type = strong_t<inexact_t<type_in<P>>>;
    constexpr int n = P::extent(0) > M ? P::extent(0) - M : 0;
    auto const coefficients = expr_like<P, type>(as_expr<type>(p));
    if constexpr (M == 0) {
      return coefficients;
    } else {
      auto const left = index_read(coefficients, slice<0, n>);
      return multiply(left, derivative_factors<type, n, M>());
    }
  }
};
template <int M>
struct polyder_op {
  template <operand P>
  constexpr auto operator()(P const& p) const {
    return named_call<polyder_body<M>>("polyder", p);
  }
};
template <int M>
struct polyint_body {
  template <tracer P, tracer K>
  constexpr auto operator()(P const& p, K const& k) const {
    using type = strong_t<inexact_t<promote_t<type_in<P>, type_in<K>>>>;
    constexpr int n = P::extent(0) + M;
    auto const coefficients = expr_like<P, type>(as_expr<type>(p));
    auto const constants = expr_like<K, type>(as_expr<type>(k));
    if constexpr (M == 0) {
      return coefficients;
    } else {
      auto const tail = expr<type, M>(broadcast_shape<shape_value<M>>(constants));
      auto const both = joined<0>(coefficients, tail);
      return divide(both, factors<type, n>());
    }
  }

 private:
  // Integrated M times, the coefficient of power k is divided by (k + 1) ... (k + M); the constants that later integrals reach, by less.
  template <class T, int N>
  static constexpr expr<T, N> factors() {
    arena<std::uint64_t> bits;
    for (int i = 0; i < N; ++i) {
      double factor = 1;
      for (int j = 0; j < M; ++j) factor *= N - 1 - i - j > 1 ? N - 1 - i - j : 1;
      for (std::uint64_t b : element_patterns(convert_number<T>(factor)).of) bits.push(b);
    }
    return constant<expr<T, N>>(new_tape(), bits);
  }
};
template <int M>
struct polyint_op {
  template <operand P, operand K>
  constexpr auto operator()(P const& p, K const& k) const {
    return named_call<polyint_body<M>>("polyint", p, k);
  }
};

// Powers of each element in a row; by repeated multiplication, as integers have no pow.
template <int N, bool Increasing>
struct vander_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    using type = numeric_t<typename X::dtype_type>;
    constexpr int rows = X::extent(0);
    using column = expr<type, rows>;
    column const base = as_expr<type>(x);
    if constexpr (N == 0) {
      return constant_like<expr<type, rows, 0>>(x, strong_t<type>{});
    } else {
      std::array<column, N> powers;
      for (int k = 0; k < N; ++k) {
        int const exponent[] = {k};
        powers[static_cast<std::size_t>(Increasing ? k : N - 1 - k)] =
            k == 0 ? constant_like<column>(x, strong_t<type>(1)) : detail::bind<column>(prim::integer_pow, exponent, base);
      }
      return stacked<1>(powers);
    }
  }
};
template <int N, bool Increasing>
struct vander_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<vander_body<(N < 0 ? rows_or_none<X> : N), Increasing>>("vander", x);
  }
  template <class X>
  static constexpr int rows_or_none = rank_in<X> == 1 ? aval_in<X>.dims[0] : 0;
};

}  // namespace detail

// p[0] x^(n-1) + ... + p[n-1] for each element of x; p [n] -> shape of x; more axes of p than one are several polynomials, which broadcast
// with x. The promoted dtype. Refused: a p without axes (jax.numpy.polyval).
inline constexpr struct polyval_function {
  template <array_like P, array_like X>
  constexpr auto operator()(P const& p, X const& x) const {
    static_assert(detail::rank_in<P> > 0, "exprax: polyval: p must be an array of coefficients");
    if constexpr (detail::rank_in<P> > 0) return detail::apply<detail::polyval_op>(p, x);
    else return p;  // after the error: nothing that leads to others
  }
} polyval{};
// The sum (polyadd), the difference (polysub) and the product (polymul) of polynomials: [n], [m] -> [max(n, m)], of polymul [n + m - 1].
// The promoted dtype; of polymul integers become float32 (x64: float64). Refused: arguments that are not vectors (jax.numpy.polyadd,
// polysub, polymul).
inline constexpr struct polyadd_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::are_vectors<A, B>, "exprax: polyadd: polynomials are 1-dimensional arrays");
    if constexpr (detail::are_vectors<A, B>) return detail::apply<detail::polyadd_op>(a, b);
    else return a;  // after the error: nothing that leads to others
  }
} polyadd{};
inline constexpr struct polysub_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::are_vectors<A, B>, "exprax: polysub: polynomials are 1-dimensional arrays");
    if constexpr (detail::are_vectors<A, B>) return detail::apply<detail::polysub_op>(a, b);
    else return a;  // after the error: nothing that leads to others
  }
} polysub{};
inline constexpr struct polymul_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return convolve(a, b);
  }
} polymul{};
// The M-th derivative: [n] -> [n - M], [0] if n is less; integers become float32 (x64: float64). Refused: a negative M, an argument that
// is not a vector (jax.numpy.polyder).
template <int M = 1, array_like P>
constexpr auto polyder(P const& p) {
  static_assert(M >= 0, "exprax: polyder: order of derivative must be positive");
  static_assert(detail::are_vectors<P>, "exprax: polyder: polynomials are 1-dimensional arrays");
  if constexpr (M >= 0 && detail::are_vectors<P>) return detail::apply<detail::polyder_op<M>>(p);
  else return p;  // after the error: nothing that leads to others
}
// The M-th integral: [n] -> [n + M]; integers become float32 (x64: float64). k: the M constants, the first of which is that of the first
// integral, or one for all. Refused: a negative M, an argument that is not a vector, another number of constants (jax.numpy.polyint).
template <int M = 1, array_like P, array_like K = int>
constexpr auto polyint(P const& p, K const& k = 0) {
  static_assert(M >= 0, "exprax: polyint: order of integral must be positive (see polyder)");
  static_assert(detail::are_vectors<P>, "exprax: polyint: polynomials are 1-dimensional arrays");
  static_assert(detail::broadcasts_to<K, detail::shape_value<M>>, "exprax: polyint: k must be a scalar or a rank-1 array of length 1 or M");
  if constexpr (M >= 0 && detail::are_vectors<P> && detail::broadcasts_to<K, detail::shape_value<M>>)
    return detail::apply<detail::polyint_op<M>>(p, k);
  else return p;  // after the error: nothing that leads to others
}
struct increasing_t {};
// vander: powers from 0 up.
inline constexpr increasing_t increasing{};
// vander(x), vander<N>(x): [n] -> [n, N], row i is x[i]^(N-1), ..., x[i], 1 (jax.numpy.vander); with increasing it is 1, x[i], ... N is n
// if it is not given. The dtype of x, bool becomes int32. An x that is no vector is refused.
template <int N = -1, array_like X>
constexpr auto vander(X const& x) {
  static_assert(detail::rank_in<X> == 1, "exprax: vander: x must be a one-dimensional array");
  return detail::apply<detail::vander_op<N, false>>(x);
}
template <int N = -1, array_like X>
constexpr auto vander(X const& x, increasing_t) {
  static_assert(detail::rank_in<X> == 1, "exprax: vander: x must be a one-dimensional array");
  return detail::apply<detail::vander_op<N, true>>(x);
}

}  // namespace exprax
