// SPDX-License-Identifier: BSL-1.0
// Triangles and diagonals of matrices (jax.numpy): tri, tril, triu, diagonal, diag, diagflat, trace. Diagonal k is above the
// main one where k > 0. More axes than two are a stack of matrices in the last two; diagonal and trace take others as axis<i, j>.
#pragma once

#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/numpy/shape/transpose.hpp>

namespace exprax {

namespace detail {

// Where column <= row + K.
template <int N, int M, int K>
constexpr expr<bool, N, M> triangle() {
  auto const row = broadcasted_iota<std::int32_t, 0, N, M>();
  auto const shifted = add(row, K);
  auto const column = broadcasted_iota<std::int32_t, 1, N, M>();
  return greater_equal(shifted, column);
}
template <class X>
inline constexpr int rows_in = rank_in<X> > 1 ? aval_in<X>.dims[rank_in<X> > 1 ? rank_in<X> - 2 : 0] : 0;
template <class X>
inline constexpr int columns_in = rank_in<X> > 0 ? aval_in<X>.dims[rank_in<X> > 0 ? rank_in<X> - 1 : 0] : 0;

template <int K, bool Lower>
struct triangle_body {
  template <tracer X>
  constexpr X operator()(X const& x) const {
    // tril keeps what the triangle has; triu what the one below diagonal K has not.
    auto const mask = triangle<rows_in<X>, columns_in<X>, Lower ? K : K - 1>();
    using shape = with_dtype_t<X, bool>;
    shape const which = broadcast_shape<shape_in<X>>(mask);
    X const zeros = constant_like<X>(x, typename X::value_type{});
    if constexpr (Lower) return detail::bind<X>(prim::select_n, {}, which, zeros, x);
    else return detail::bind<X>(prim::select_n, {}, which, x, zeros);
  }
};
template <int K, bool Lower>
struct triangle_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<triangle_body<K, Lower>>(Lower ? "tril" : "triu", x);
  }
};

// Diagonal K of axes A and B, which becomes the last axis. Its elements are equally far apart in row-major order.
struct diagonal_place {
  int first = 0, step = 1, count = 0;
  constexpr diagonal_place(int rows, int columns, int k) {
    int const down = k < 0 ? rows + k : rows, across = k > 0 ? columns - k : columns;
    count = down < across ? down : across;
    count = count < 0 ? 0 : count;
    first = count == 0 ? 0 : k < 0 ? -k * columns : k;
    step = columns + 1;
  }
};
template <class X, int K, int A, int B>
struct diagonal_shape {
  static constexpr int a = normal_axis(A, rank_in<X>), b = normal_axis(B, rank_in<X>);
  static constexpr diagonal_place place{aval_in<X>.dims[a], aval_in<X>.dims[b], K};
  static constexpr aval value = [] {
    aval s(aval_in<X>.type, aval_in<X>.weak);
    for (int i = 0; i < rank_in<X>; ++i)
      if (i != a && i != b) s.dims[s.rank++] = aval_in<X>.dims[i];
    s.dims[s.rank++] = place.count;
    return s;
  }();
};
template <int K, int A, int B>
struct diagonal_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    using to = diagonal_shape<X, K, A, B>;
    arena<int> permutation, flat;
    for (int i = 0; i < X::rank; ++i)
      if (i != to::a && i != to::b) permutation.push(i), flat.push(X::type.dims[i]);
    permutation.push(to::a);
    permutation.push(to::b);
    flat.push(X::type.dims[to::a] * X::type.dims[to::b]);
    handle const rows = untyped::reshape(untyped::transpose(untyped::from(x), permutation), flat);
    constexpr diagonal_place p = to::place;
    int const limit = p.count == 0 ? 0 : p.first + (p.count - 1) * p.step + 1;
    return untyped::typed<to>(untyped::slice(rows, flat.size() - 1, p.first, limit, p.step));
  }
};
template <int K, int A, int B>
struct diagonal_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<diagonal_body<K, A, B>>("diagonal", x);
  }
};

// A vector on diagonal K of zeros.
template <int K>
struct diag_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    if constexpr (X::rank == 2) {
      return diagonal_op<K, 0, 1>{}(x);
    } else {
      using type = typename X::dtype_type;
      constexpr int n = X::extent(0) + (K < 0 ? -K : K);
      int const widths[] = {K < 0 ? -K : 0, K > 0 ? K : 0, 0};
      expr<type, n> const v = detail::bind<expr<type, n>>(prim::pad, widths, x, lit<type>{});
      auto const on_diagonal = eye<bool, n, n, K>();
      auto const column = expanded<1>(v);
      return where(on_diagonal, column, expr<type>(as_expr<type>(0)));
    }
  }
};
template <int K>
struct diag_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<diag_body<K>>("_diag", x);
  }
};
template <int K>
struct diagflat_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto const flat = reshaped<-1>(as_traced(x));
    return diag_op<K>{}(flat);
  }
};
template <int K, int A, int B>
struct trace_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    auto const d = diagonal_body<K, A, B>{}(x);
    return sum_op<prim::reduce_sum, axis_t<-1>>{}(d);
  }
};
template <int K, int A, int B>
struct trace_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<trace_body<K, A, B>>("trace", x);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X>
inline constexpr bool is_a_matrix = rank_in<X> >= 2;
template <class X>
inline constexpr bool is_square = rank_in<X> >= 2 && rows_in<X> == columns_in<X>;
template <class X>
inline constexpr bool is_vector_or_matrix = rank_in<X> == 1 || rank_in<X> == 2;
template <class X, int A, int B>
inline constexpr bool has_two_axes = normal_axes<A, B>(rank_in<X>).valid;

}  // namespace detail

// tri<T, N, M, K>(): [N, M], ones where column <= row + K, zeros elsewhere (jax.numpy.tri). Without T float32.
template <class T, int N, int M = N, int K = 0>
constexpr auto tri() {
  return detail::created([] { return detail::cast<canonical_t<T>>(detail::triangle<N, M, K>()); });
}
template <int N, int M = N, int K = 0>
constexpr auto tri() {
  return tri<float, N, M, K>();
}
// tril<K>(x): zeros above diagonal K; triu<K>(x): below it; K is 0 by default (jax.numpy.tril, jax.numpy.triu). [..., n, m] in the dtype of
// x; fewer than two axes are refused.
template <int K = 0, array_like X>
constexpr auto tril(X const& x) {
  static_assert(detail::is_a_matrix<X>, "exprax: tril: the argument must be at least 2D");
  if constexpr (detail::is_a_matrix<X>) return detail::apply<detail::triangle_op<K, true>>(x);
  else return x;  // after the error: nothing that leads to others
}
template <int K = 0, array_like X>
constexpr auto triu(X const& x) {
  static_assert(detail::is_a_matrix<X>, "exprax: triu: the argument must be at least 2D");
  if constexpr (detail::is_a_matrix<X>) return detail::apply<detail::triangle_op<K, false>>(x);
  else return x;  // after the error: nothing that leads to others
}
// diagonal<K>(x, axis<i, j>): the elements on diagonal K of axes i and j, 0 and 1 if none are given, as the last axis (jax.numpy.diagonal):
// [n, n, ...] -> [..., n]. Refused: axes that are equal or out of range.
template <int K = 0, array_like X, int A = 0, int B = 1>
constexpr auto diagonal(X const& x, axis_t<A, B> = {}) {
  static_assert(detail::has_two_axes<X, A, B>,
                "exprax: diagonal: requires an array of at least two dimensions, and two different axes of it");
  return detail::apply<detail::diagonal_op<K, A, B>>(x);
}
// diag<K>(v): a matrix with v on diagonal K, [n] -> [n + |K|, n + |K|]; of a matrix: its diagonal (jax.numpy.diag). Other numbers of axes
// are refused.
template <int K = 0, array_like X>
constexpr auto diag(X const& x) {
  static_assert(detail::is_vector_or_matrix<X>, "exprax: diag: input must be 1d or 2d");
  if constexpr (detail::is_vector_or_matrix<X>) return detail::apply<detail::diag_op<K>>(x);
  else return x;  // after the error: nothing that leads to others
}
// diagflat<K>(x): the same with all elements of x as the vector (jax.numpy.diagflat).
template <int K = 0, array_like X>
constexpr auto diagflat(X const& x) {
  return detail::apply<detail::diagflat_op<K>>(x);
}
// trace<K>(x, axis<i, j>): the sum of diagonal<K> (jax.numpy.trace): [n, n, ...] -> [...]. bool and integers below 32 bits are added as
// int32 or uint32. Refused: axes that are equal or out of range.
template <int K = 0, array_like X, int A = 0, int B = 1>
constexpr auto trace(X const& x, axis_t<A, B> = {}) {
  static_assert(detail::has_two_axes<X, A, B>, "exprax: trace: requires an array of at least two dimensions, and two different axes of it");
  return detail::apply<detail::trace_op<K, A, B>>(x);
}

}  // namespace exprax
