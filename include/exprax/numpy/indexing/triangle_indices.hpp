// SPDX-License-Identifier: BSL-1.0
// Indices of diagonals and triangles of matrices (jax.numpy): diag_indices, tril_indices, triu_indices, mask_indices.
#pragma once

#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/indexing/nonzero.hpp>

namespace exprax {

namespace detail {

// The places in an N x M matrix on and below (Lower) or above the diagonal K, row by row.
template <int N, int K, int M, bool Lower>
constexpr bool in_triangle(int i, int j) {
  return Lower ? j - i <= K : j - i >= K;
}
template <int N, int K, int M, bool Lower>
inline constexpr int triangle_size = [] {
  int n = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) n += in_triangle<N, K, M, Lower>(i, j);
  return n;
}();
template <int N, int K, int M, bool Lower>
constexpr auto triangle_indices() {
  std::tuple<array<default_int, triangle_size<N, K, M, Lower>>, array<default_int, triangle_size<N, K, M, Lower>>> r;
  int at = 0;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < M; ++j) {
      if (!in_triangle<N, K, M, Lower>(i, j)) continue;
      std::get<0>(r).data()[at] = i;
      std::get<1>(r).data()[at++] = j;
    }
  }
  return r;
}
template <int N>
constexpr array<default_int, N> first_indices() {
  array<default_int, N> r;
  for (int i = 0; i < N; ++i) r.data()[i] = i;
  return r;
}

// Conditions of static_asserts: compilers print the types.
template <class X>
inline constexpr bool is_a_cube = [] {
  for (int i = 1; i < rank_in<X>; ++i)
    if (aval_in<X>.dims[i] != aval_in<X>.dims[0]) return false;
  return rank_in<X> >= 2;
}();
template <class X>
inline constexpr bool has_a_diagonal = rank_in<X> == 2 || is_a_cube<X>;

}  // namespace detail

// The indices of the diagonal of an array with Rank axes of size N, and of that of x: a tuple of one array 0, ..., N - 1 of dtype
// default_int for each axis. diag_indices_from refuses arrays with fewer than two axes, and with axes of different sizes if there are more
// than two (jax.numpy.diag_indices, diag_indices_from).
template <int N, int Rank = 2>
constexpr auto diag_indices() {
  return []<int... K>(std::integer_sequence<int, K...>) {
    return std::tuple((static_cast<void>(K), detail::first_indices<N>())...);
  }(std::make_integer_sequence<int, Rank>{});
}
inline constexpr struct diag_indices_from_function {
  template <array_like X>
  constexpr auto operator()(X const&) const {
    static_assert(detail::is_a_cube<X>, "exprax: diag_indices_from: the array must have at least two axes, all of one size");
    return diag_indices<detail::aval_in<X>.dims[0], detail::rank_in<X>>();
  }
} diag_indices_from{};
// The rows and columns of the elements of an [N, M] matrix on and below (tril_indices) or on and above (triu_indices) the diagonal K: a
// tuple of two arrays of dtype default_int, row by row. tril_indices_from and triu_indices_from take the sizes from a matrix; other ranks
// than 2 are refused (jax.numpy.tril_indices, triu_indices, tril_indices_from, triu_indices_from).
template <int N, int K = 0, int M = N>
constexpr auto tril_indices() {
  return detail::triangle_indices<N, K, M, true>();
}
template <int N, int K = 0, int M = N>
constexpr auto triu_indices() {
  return detail::triangle_indices<N, K, M, false>();
}
template <int K = 0, array_like X>
constexpr auto tril_indices_from(X const&) {
  static_assert(detail::rank_in<X> == 2, "exprax: tril_indices_from: the array must have two axes");
  return tril_indices<detail::aval_in<X>.dims[0], K, detail::aval_in<X>.dims[1]>();
}
template <int K = 0, array_like X>
constexpr auto triu_indices_from(X const&) {
  static_assert(detail::rank_in<X> == 2, "exprax: triu_indices_from: the array must have two axes");
  return triu_indices<detail::aval_in<X>.dims[0], K, detail::aval_in<X>.dims[1]>();
}
// The indices of the elements of an N x N matrix that f leaves not zero: mask_indices<n, size>([](auto x) { return ex::triu<1>(x); }): a
// tuple of two default_int[size] (jax.numpy.mask_indices).
template <int N, int Size, class F>
constexpr auto mask_indices(F f) {
  return nonzero<Size>(f(ones<N, N>()));
}

}  // namespace exprax
