// SPDX-License-Identifier: BSL-1.0
// ex::lax: products of matrices as jax.lax has them: dot, dot_general, batch_matmul, ragged_dot.
#pragma once

#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/lax/elementwise.hpp>
#include <exprax/numpy/products/dot_general.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>

namespace exprax {

namespace detail {

template <int Rank>
struct batch_axes {
  static constexpr dot_axes value = [] {
    dot_axes d;
    if (Rank >= 2) d.contract(Rank - 1, Rank - 2);
    for (int i = 0; i < Rank - 2; ++i) d.batch(i, i);
    return d;
  }();
};
struct batch_matmul_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return record_dot<batch_axes<rank_in<A>>>(as_traced(a), as_traced(b));
  }
};
template <class A, class B>
inline constexpr bool are_batches_of_matrices = [] {
  if (rank_in<A> < 2 || rank_in<A> != rank_in<B>) return false;
  for (int i = 0; i < rank_in<A> - 2; ++i)
    if (aval_in<A>.dims[i] != aval_in<B>.dims[i]) return false;
  return aval_in<A>.dims[rank_in<A> - 1] == aval_in<B>.dims[rank_in<A> > 1 ? rank_in<A> - 2 : 0];
}();

// Rows of a times the matrix of the group that they are in. Row i is in the first group whose sizes, added up, are more than i.
struct ragged_axes {
  static constexpr dot_axes value = [] {
    dot_axes d;
    d.contract(0, 0);
    d.contract(2, 1);
    return d;
  }();
};
struct ragged_dot_op {
  template <operand A, operand B, operand S>
  constexpr auto operator()(A const& a, B const& b, S const& sizes) const {
    constexpr int groups = aval_in<B>.dims[0], rows = aval_in<A>.dims[0], inner = aval_in<A>.dims[1];
    auto const ends = cumsum(as_traced(sizes));
    auto const starts = ends - as_traced(sizes);
    auto const row = broadcasted_iota<strong_t<type_in<S>>, 1, groups, rows>();
    auto const first = expand_dims(starts, axis<1>), last = expand_dims(ends, axis<1>);
    auto const inside = (row >= first) & (row < last);
    using type = type_in<A>;
    auto const each = where(expand_dims(inside, axis<2>), broadcast_shape<shape_value<groups, rows, inner>>(as_traced(a)),
                            literal<type>(strong_t<type>(0)));
    return record_dot<ragged_axes>(each, as_traced(b));
  }
};

}  // namespace detail

namespace lax {

using exprax::dot;
using exprax::dot_general;

// Products of matrices, one for each index of the axes before the last two, which are the same in both: [..., n, k], [..., k, m] -> [...,
// n, m]. One dtype, which is the result's. Refused: different dtypes, leading axes or sizes k (jax.lax.batch_matmul).
inline constexpr struct batch_matmul_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::have_one_dtype<A, B>, "exprax: lax.batch_matmul requires arguments to have the same dtypes");
    static_assert(detail::are_batches_of_matrices<A, B>,
                  "exprax: lax.batch_matmul: both arguments need the same batch dimensions, two axes or more, and contracting dimensions "
                  "that are equal");
    if constexpr (detail::are_batches_of_matrices<A, B>) return detail::apply<detail::batch_matmul_op>(a, b);
    else return a;  // after the error: nothing that leads to others
  }
} batch_matmul{};
// Row i of a [m, k] times b[g] of b [groups, k, n]: [m, n]; the first sizes[0] rows are of group 0, the next sizes[1] of group 1, ...,
// rows of no group are 0. The promoted dtype. Refused: other shapes, sizes that are not one integer for each group (jax.lax.ragged_dot).
inline constexpr struct ragged_dot_function {
  template <array_like A, array_like B, array_like S>
  constexpr auto operator()(A const& a, B const& b, S const& group_sizes) const {
    constexpr bool fits = detail::rank_in<A> == 2 && detail::rank_in<B> == 3 && detail::rank_in<S> == 1 &&
                          detail::aval_in<A>.dims[1] == detail::aval_in<B>.dims[1] &&
                          detail::aval_in<S>.dims[0] == detail::aval_in<B>.dims[0] && is_integer(detail::aval_in<S>.type);
    static_assert(fits, "exprax: lax.ragged_dot: takes a [m, k], b [groups, k, n] and as many integer group sizes as there are groups");
    if constexpr (fits) return detail::apply<detail::ragged_dot_op>(a, b, group_sizes);
    else return a;
  }
} ragged_dot{};

}  // namespace lax

}  // namespace exprax
