// SPDX-License-Identifier: BSL-1.0
// linalg::matrix_power, multi_dot, expm, and the functions of ex that jax.numpy.linalg has as well.
#pragma once

#include <exprax/api/control/cond.hpp>
#include <exprax/numpy/linalg/norm.hpp>
#include <exprax/numpy/linalg/solve.hpp>
#include <exprax/numpy/products/cross.hpp>
#include <exprax/numpy/products/einsum.hpp>
#include <exprax/numpy/products/vector_products.hpp>

namespace exprax {

namespace detail {

template <int N>
struct matrix_power_body {
  template <tracer A>
  constexpr auto operator()(A const& a) const {
    if constexpr (N < 0) {
      auto const inverse = linalg::inv(a);
      return matrix_power_body<-N>{}(inverse);
    } else if constexpr (N == 0) {
      constexpr int n = A::extent(-1);
      using type = typename A::dtype_type;
      return A(broadcast_shape<shape_in<A>>(exprax::eye<type, n>()));
    } else if constexpr (N == 1) {
      return a;
    } else {
      // By squares: x^N = (x^2)^(N/2), times x if N is odd.
      A const square = matmul_op{}(a, a);
      A const rest = matrix_power_body<N / 2>{}(square);
      if constexpr (N % 2 == 0) return rest;
      else return A(matmul_op{}(rest, a));
    }
  }
};
template <int N>
struct matrix_power_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    return named_call<matrix_power_body<N>>("matrix_power", a);
  }
};

// Subscripts of a chain: matrix k has the indices k and k + 1; the ends may be vectors.
template <class... X>
struct chain_of {
  static constexpr int n = static_cast<int>(sizeof...(X));
  static constexpr aval operands[sizeof...(X) + 1] = {aval_in<X>..., aval{}};
  static constexpr bool ok = [] {
    if (n < 2) return false;
    for (int k = 0; k < n; ++k) {
      bool const end = k == 0 || k == n - 1;
      if (operands[k].rank != 2 && !(end && operands[k].rank == 1)) return false;
      if (k > 0 && operands[k - 1].dims[operands[k - 1].rank - 1] != operands[k].dims[0]) return false;
    }
    return true;
  }();
  static constexpr einsum_subscripts subscripts = [] {
    einsum_subscripts s;
    s.n = n;
    for (int k = 0; ok && k < n; ++k) {
      int const first = k == 0 && operands[k].rank == 1 ? 1 : k;
      for (int i = 0; i < operands[k].rank; ++i) {
        s.in[k].push(first + i);
        s.size[first + i] = operands[k].dims[i];
      }
    }
    if (ok && operands[0].rank == 2) s.out.push(0);
    if (ok && operands[n - 1].rank == 2) s.out.push(n);
    return s;
  }();
  static constexpr einsum_path path = [] {
    if (!ok) return einsum_path{};
    return einsum_planner(subscripts).run();
  }();
  using dtype_type = promote_t<type_in<X>...>;
  static constexpr aval value = [] {
    aval a(dtype_of<dtype_type>, is_weak<dtype_type>);
    for (int k = 0; ok && k < subscripts.out.n; ++k) a.dims[a.rank++] = subscripts.size[subscripts.out.of[k]];
    return a;
  }();
};
struct multi_dot_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    using chain = chain_of<X...>;
    einsum_builder b(chain::subscripts, chain::value.type);
    int k = 0;
    (b.push(untyped::from(expr_type<X>(as_traced(x))), chain::subscripts.in[k++]), ...);
    return untyped::typed<chain>(untyped::convert(b.run(chain::path), chain::value.type, chain::value.weak));
  }
};

// exp of a matrix by scaling and squaring (Higham 2005): a / 2^s is small enough for the Pade approximant of degree 7 (float) or 13
// (double), whose s-fold square is the result.
struct expm_of {
  template <class T, int N>
  constexpr expr<T, N, N> operator()(expr<T, N, N> const& a) const {
    using matrix = expr<T, N, N>;
    if constexpr (N == 0) {
      return a;
    } else {
      using part = real_part_t<T>;
      constexpr bool wide = dtype_of<part> == dtype::f64;
      constexpr auto largest = static_cast<strong_t<part>>(wide ? 5.371920351148152 : 3.925724783138660);
      auto const norm = max(sum(abs(a), axis<0>));
      // The least s with norm / 2^s <= largest, at most 16, as jax.scipy.linalg.expm.
      auto squarings = constant_like<expr<std::int32_t>>(a, 0);
      auto bound = largest;
      for (int k = 0; k < 16; ++k, bound *= 2) squarings = add(squarings, astype<std::int32_t>(greater(norm, bound)));
      auto scale = constant_like<expr<part>>(a, strong_t<part>(1));
      bound = largest;
      for (int k = 0; k < 16; ++k, bound *= 2) scale = where(greater(norm, bound), multiply(scale, 0.5f), scale);
      matrix const x = multiply(a, scale);
      auto const fractions = pade<wide>(x);
      matrix const u = std::get<0>(fractions);
      matrix const v = std::get<1>(fractions);
      matrix const start = solve_body{}(matrix(subtract(v, u)), matrix(add(v, u)));
      // With a bound that is a constant, it has derivatives in both modes.
      auto const square_or_stop = [squarings](auto i, matrix r) {
        return exprax::cond(less(i, squarings), [](matrix m) { return matrix(matmul_op{}(m, m)); }, [](matrix m) { return m; }, r);
      };
      return fori_loop(0, 16, square_or_stop, start);
    }
  }

 private:
  // The odd and the even part of the numerator.
  template <bool Wide, class E>
  static constexpr std::tuple<E, E> pade(E const& x) {
    using T = typename E::dtype_type;
    E const one = exprax::eye<T, E::extent(0)>();
    E const x2 = matmul_op{}(x, x);
    E const x4 = matmul_op{}(x2, x2);
    E const x6 = matmul_op{}(x4, x2);
    auto const term = [](E const& m, double c) { return E(multiply(m, static_cast<strong_t<real_part_t<T>>>(c))); };
    if constexpr (Wide) {
      constexpr double b[] = {64764752532480000.,
                              32382376266240000.,
                              7771770303897600.,
                              1187353796428800.,
                              129060195264000.,
                              10559470521600.,
                              670442572800.,
                              33522128640.,
                              1323241920.,
                              40840800.,
                              960960.,
                              16380.,
                              182.,
                              1.};
      E const high_u = add(add(term(x6, b[13]), term(x4, b[11])), term(x2, b[9]));
      E const low_u = add(add(add(term(x6, b[7]), term(x4, b[5])), term(x2, b[3])), term(one, b[1]));
      E const high_v = add(add(term(x6, b[12]), term(x4, b[10])), term(x2, b[8]));
      E const low_v = add(add(add(term(x6, b[6]), term(x4, b[4])), term(x2, b[2])), term(one, b[0]));
      E const inner = add(E(matmul_op{}(x6, high_u)), low_u);
      return {E(matmul_op{}(x, inner)), E(add(E(matmul_op{}(x6, high_v)), low_v))};
    } else {
      constexpr double b[] = {17297280., 8648640., 1995840., 277200., 25200., 1512., 56., 1.};
      E const inner = add(add(add(term(x6, b[7]), term(x4, b[5])), term(x2, b[3])), term(one, b[1]));
      return {E(matmul_op{}(x, inner)), E(add(add(add(term(x6, b[6]), term(x4, b[4])), term(x2, b[2])), term(one, b[0])))};
    }
  }
};
template <class... X>
inline constexpr bool is_a_chain = chain_of<X...>::ok;

}  // namespace detail

namespace linalg {

// a multiplied with itself, N times; the power of the inverse where N is negative. [..., n, n] -> [..., n, n], dtype of a, where N is
// negative floating. Refused: matrices that are not square (jax.numpy.linalg.matrix_power).
template <int N, array_like A>
constexpr auto matrix_power(A const& a) {
  static_assert(detail::is_square<A>, "exprax: linalg.matrix_power: the last 2 dimensions of the array must be square");
  if constexpr (detail::is_square<A>) return detail::apply<detail::matrix_power_op<N>>(a);
  else return a;  // after the error: nothing that leads to others
}
// The product of two or more matrices in the cheapest order; the first and the last one may be vectors, whose axis does not appear in the
// result. [n, k], [k, l], ..., [p, m] -> [n, m], the promoted dtype. Refused: other ranks, sizes that do not fit
// (jax.numpy.linalg.multi_dot).
inline constexpr struct multi_dot_function {
  template <array_like... X>
  constexpr auto operator()(X const&... x) const {
    static_assert(
        sizeof...(X) >= 2 && detail::is_a_chain<X...>,
        "exprax: linalg.multi_dot: takes at least two matrices (the first and last may be vectors), each with as many rows as the "
        "one before has columns");
    return detail::apply<detail::multi_dot_op>(x...);
  }
} multi_dot{};
// The exponential of square matrices: [..., n, n] -> [..., n, n]; integers become float32 (x64: float64). Refused: matrices that are not
// square (jax.scipy.linalg.expm).
inline constexpr struct expm_function {
  template <array_like A>
  constexpr auto operator()(A const& a) const {
    static_assert(detail::is_square<A>, "exprax: linalg.expm: the argument must be square matrices");
    if constexpr (detail::is_square<A>) return detail::apply<detail::each_matrix_op<detail::expm_of>>(a);
    else return a;  // after the error: nothing that leads to others
  }
} expm{};
using exprax::cross;
using exprax::matmul;
using exprax::outer;
using exprax::tensordot;
using exprax::vecdot;
// The diagonal K, and the sum of its elements, of the matrices in the last two axes: [..., n, m] -> [..., k] and [...]. The dtypes are
// those of ex::diagonal and ex::trace (jax.numpy.linalg.diagonal, trace).
template <int K = 0, array_like X>
constexpr auto diagonal(X const& x) {
  return exprax::diagonal<K>(x, axis<-2, -1>);
}
template <int K = 0, array_like X>
constexpr auto trace(X const& x) {
  return exprax::trace<K>(x, axis<-2, -1>);
}
// The last two axes exchanged: [..., n, m] -> [..., m, n]; dtype of x (jax.numpy.linalg.matrix_transpose).
inline constexpr struct matrix_transpose_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return exprax::swapaxes<-2, -1>(x);
  }
} matrix_transpose{};

}  // namespace linalg

}  // namespace exprax
