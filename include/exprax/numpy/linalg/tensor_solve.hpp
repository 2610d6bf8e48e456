// SPDX-License-Identifier: BSL-1.0
// linalg::tensorinv and tensorsolve (jax.numpy.linalg): inv and solve of arrays of more axes, which are matrices with their axes joined.
#pragma once

#include <exprax/numpy/linalg/solve.hpp>
#include <exprax/numpy/shape/transpose.hpp>

namespace exprax {

namespace detail {

// The axes from First on, then the first ones.
template <class A, int First>
struct first_axes_last {
  static constexpr int rank = rank_in<A>;
  static constexpr bool ok = First > 0 && First <= rank;
  static constexpr std::ptrdiff_t rows = [] {
    std::ptrdiff_t n = 1;
    for (int i = 0; ok && i < First; ++i) n *= aval_in<A>.dims[i];
    return n;
  }();
  static constexpr bool fits = ok && rows * rows == aval_in<A>.size();
  static constexpr aval value = [] {
    aval a(dtype_of<strong_t<inexact_t<type_in<A>>>>);
    for (int i = 0; ok && i < rank; ++i) a.dims[a.rank++] = aval_in<A>.dims[(i + First) % rank];
    return a;
  }();
};
template <int First>
struct tensorinv_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    using shape = first_axes_last<A, First>;
    constexpr int n = static_cast<int>(shape::rows);
    auto const inverse = linalg::inv(reshaped<n, n>(as_traced(a)));
    return untyped::typed<shape>(untyped::reshape(untyped::from(inverse), {shape::value.dims, shape::value.rank}));
  }
};

// The axes that are named moved to the end, one after the other.
template <class A, int... Axes>
struct axes_at_end {
  static constexpr int rank = rank_in<A>;
  static constexpr axis_set moved = normal_axes<Axes...>(rank);
  struct axis_order {
    int of[max_rank] = {};
  };
  static constexpr axis_order permutation = [] {
    axis_order p;
    int n = 0;
    for (int i = 0; i < rank; ++i)
      if (!moved.has(i)) p.of[n++] = i;
    for (int i = 0; moved.valid && i < moved.n; ++i) p.of[n++] = moved.of[i];
    return p;
  }();
  static constexpr aval value = [] {
    aval a = aval_in<A>;
    for (int i = 0; moved.valid && i < rank; ++i) a.dims[i] = aval_in<A>.dims[permutation.of[i]];
    return a;
  }();
};
template <class A, class B, int... Axes>
struct solved_shape {
  using moved_axes = axes_at_end<A, Axes...>;
  static constexpr int rank = rank_in<A>, known = rank_in<B>;
  static constexpr bool fits = [] {
    if (!moved_axes::moved.valid || known > rank) return false;
    for (int i = 0; i < known; ++i)
      if (moved_axes::value.dims[i] != aval_in<B>.dims[i]) return false;
    return aval_in<B>.size() * aval_in<B>.size() == aval_in<A>.size();
  }();
  static constexpr aval value = [] {
    aval a(dtype_of<strong_t<inexact_t<promote_t<type_in<A>, type_in<B>>>>>);
    for (int i = known; fits && i < rank; ++i) a.dims[a.rank++] = moved_axes::value.dims[i];
    return a;
  }();
};
template <int... Axes>
struct tensorsolve_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using shape = solved_shape<A, B, Axes...>;
    using moved_axes = typename shape::moved_axes;
    constexpr int n = static_cast<int>(aval_in<B>.size());
    handle const in_order = untyped::transpose(untyped::from(as_traced(a)), {moved_axes::permutation.of, moved_axes::rank});
    auto const matrix = reshaped<n, n>(untyped::typed<moved_axes>(in_order));
    auto const x = linalg::solve(matrix, reshaped<n>(as_traced(b)));
    return untyped::typed<shape>(untyped::reshape(untyped::from(x), {shape::value.dims, shape::value.rank}));
  }
};
template <class A, class B, int... Axes>
inline constexpr bool is_a_tensor_system = solved_shape<A, B, Axes...>::fits;
template <class A, int First>
inline constexpr bool is_a_square_tensor = first_axes_last<A, First>::fits;

}  // namespace detail

namespace linalg {

// The inverse of a as a map from its last axes to its first First ones: tensordot<r>(tensorinv<r>(a), b) solves a x = b. Shape: the last
// axes, then the first ones; integers become float32 (x64: float64). Refused: products of both parts of the shape that differ
// (jax.numpy.linalg.tensorinv).
template <int First = 2, array_like A>
constexpr auto tensorinv(A const& a) {
  static_assert(
      detail::is_a_square_tensor<A, First>,
      "exprax: linalg.tensorinv is only possible when the product of the first dimensions equals that of the remaining dimensions");
  if constexpr (detail::is_a_square_tensor<A, First>) return detail::apply<detail::tensorinv_op<First>>(a);
  else return a;  // after the error: nothing that leads to others
}
// x with a x = b, summed over all axes of x; b has the first axes of a, x the others. axis<...>: these axes of a go to the end before. The
// promoted dtype; integers become float32 (x64: float64). Refused: other axes, another number of elements than in b
// (jax.numpy.linalg.tensorsolve).
inline constexpr struct tensorsolve_function {
  template <array_like A, array_like B, int... Axes>
  constexpr auto operator()(A const& a, B const& b, axis_t<Axes...> = {}) const {
    static_assert(detail::is_a_tensor_system<A, B, Axes...>,
                  "exprax: linalg.tensorsolve: the leading axes of a must be those of b, and the others have as many elements as b");
    if constexpr (detail::is_a_tensor_system<A, B, Axes...>) return detail::apply<detail::tensorsolve_op<Axes...>>(a, b);
    else return a;
  }
} tensorsolve{};

}  // namespace linalg

}  // namespace exprax
