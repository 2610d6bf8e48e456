// SPDX-License-Identifier: BSL-1.0
// dot_general(a, b, contracting<axis<1>, axis<0>>, batching<axis<0>, axis<0>>): products of elements, summed over contracting axes,
// for each index of the batch axes (jax.lax.dot_general). The axes of the result: batch axes, other axes of a, other axes of b.
#pragma once

#include <exprax/numpy/products/dot.hpp>

namespace exprax {

template <auto Lhs, auto Rhs>
struct contracting_t {};
// The axes that are summed, of a and of b, in pairs.
template <auto Lhs, auto Rhs>
inline constexpr contracting_t<Lhs, Rhs> contracting{};
template <auto Lhs, auto Rhs>
struct batching_t {};
// The axes that go together, of a and of b, in pairs.
template <auto Lhs, auto Rhs>
inline constexpr batching_t<Lhs, Rhs> batching{};

namespace detail {

template <int... Axes>
constexpr axis_set axes_of_tag(axis_t<Axes...>, int rank) {
  return normal_axes<Axes...>(rank);
}
constexpr bool apart(axis_set const& a, axis_set const& b) {
  for (int i = 0; i < a.n; ++i)
    if (b.has(a.of[i])) return false;
  return true;
}
template <class Contracting, class Batching>
struct dot_dimensions;
template <auto L, auto R, auto LB, auto RB>
struct dot_dimensions<contracting_t<L, R>, batching_t<LB, RB>> {
  template <class A, class B>
  struct of {
    static constexpr axis_set lhs = axes_of_tag(L, rank_in<A>), rhs = axes_of_tag(R, rank_in<B>), lhs_batch = axes_of_tag(LB, rank_in<A>),
                              rhs_batch = axes_of_tag(RB, rank_in<B>);
    static constexpr bool valid = lhs.valid && rhs.valid && lhs_batch.valid && rhs_batch.valid && lhs.n == rhs.n &&
                                  lhs_batch.n == rhs_batch.n && apart(lhs, lhs_batch) && apart(rhs, rhs_batch);
    static constexpr dot_axes value = [] {
      dot_axes d;
      for (int i = 0; i < lhs.n && i < rhs.n; ++i) d.contract(lhs.of[i], rhs.of[i]);
      for (int i = 0; i < lhs_batch.n && i < rhs_batch.n; ++i) d.batch(lhs_batch.of[i], rhs_batch.of[i]);
      return d;
    }();
  };
};
template <class Dimensions, class T>
struct dot_general_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = std::conditional_t<std::is_void_v<T>, promote_t<type_in<A>, type_in<B>>, canonical_t<T>>;
    using axes = typename Dimensions::template of<A, B>;
    using shape = dot_shape<A, B, axes, type>;
    auto const product = detail::bind<expr_from<shape>>(prim::dot_general, shape::params, as_traced(a), as_traced(b));
    return expr_like<decltype(product), type>(as_expr<type>(product));
  }
};

// Conditions of static_asserts: compilers print the types.
template <class Dimensions, class A, class B>
inline constexpr bool are_dimension_numbers = Dimensions::template of<A, B>::valid;
template <class Dimensions, class A, class B>
inline constexpr bool contracts_along = !Dimensions::template of<A, B>::valid || contracts<A, B, typename Dimensions::template of<A, B>>;

}  // namespace detail

// The sum of products over the contracting axes, for each index of the batch axes. Axes of the result: batch axes, other axes of a, other
// axes of b. The dtype is T, dot_general<double>(a, b, ...), or the promoted one. Refused: axes out of range or named twice, pairs of
// different sizes (jax.lax.dot_general with preferred_element_type, StableHLO dot_general).
template <class T = void, array_like A, array_like B, auto L, auto R, auto LB = axis<>, auto RB = axis<>>
constexpr auto dot_general(A const& a, B const& b, contracting_t<L, R>, batching_t<LB, RB> = {}) {
  using dimensions = detail::dot_dimensions<contracting_t<L, R>, batching_t<LB, RB>>;
  static_assert(detail::are_dimension_numbers<dimensions, A, B>,
                "exprax: dot_general: contracting and batch axes must be in range, different from each other, and as many for a as for b");
  static_assert(detail::contracts_along<dimensions, A, B>,
                "exprax: dot_general requires contracting dimensions, and batch dimensions, to have the same shape");
  if constexpr (detail::are_dimension_numbers<dimensions, A, B> && detail::contracts_along<dimensions, A, B>)
    return detail::apply<detail::dot_general_op<dimensions, T>>(a, b);
  else return a;  // after the error: nothing that leads to others
}

}  // namespace exprax
