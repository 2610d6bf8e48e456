// SPDX-License-Identifier: BSL-1.0
// Places in sorted arrays (jax.numpy): searchsorted, digitize. NaN comes last, as in a sort.
#pragma once

#include <bit>

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/rounding.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/reductions/reduction_options.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/numpy/shape/shaping.hpp>
#include <exprax/numpy/shape/transpose.hpp>

namespace exprax {

struct side_right_t {};
// searchsorted, digitize: behind equal elements; else before them.
inline constexpr side_right_t side_right{};
namespace detail {

template <>
inline constexpr option_word word_of<side_right_t>{"side_right"};

// Whether a comes before v in a sort; Or_equal: or is equal to it.
template <bool OrEqual, tracer A, tracer V>
constexpr auto comes_before(A const& a, V const& v) {
  if constexpr (OrEqual && is_floating(A::type.type)) return (a <= v) | (v != v);
  else if constexpr (OrEqual) return a <= v;
  else if constexpr (is_floating(A::type.type)) return ~(a >= v) & (a == a);
  else return a < v;
}

// How many elements of a come before each of v. Few are all compared. Else all searches go on together: a power of two less than what is
// left is added to the place where the element in front of it comes before. For many of v the first steps are in an array of their own, of
// elements so far apart as the last of these steps: targets look up short tables in registers (emit/simd/pack_table.hpp).
template <bool Right>
struct searchsorted_body {
  template <tracer A, tracer V>
  constexpr auto operator()(A const& a, V const& v) const {
    constexpr int n = A::extent(0), fewest = 17;
    if constexpr (n == 0) return count(v, 0);
    else if constexpr (n < fewest) return compare_all(a, v);
    else return search(a, v);
  }

 private:
  template <class A, class V>
  static constexpr auto compare_all(A const& a, V const& v) {
    auto const column = expand_dims(v, axis<-1>);
    auto const before = [&] {
      if constexpr (Right) return a <= column;
      else return a < column;
    }();
    auto const n = sum(astype<std::int32_t>(before), axis<-1>);
    if constexpr (!is_floating(A::type.type)) return n;
    else if constexpr (Right) return where(v != v, A::extent(0), n);
    else return where(v != v, sum(astype<std::int32_t>(a == a)), n);
  }
  template <tracer V>
  static constexpr auto count(V const& v, std::int32_t n) {
    std::uint64_t const bits = to_bits(n);
    return broadcast_shape<shape_in<V>>(constant<expr<std::int32_t>>(expr_access::get(v), {&bits, 1}));
  }
  template <class A, class V>
  static constexpr auto search(A const& a, V const& v) {
    constexpr int n = A::extent(0), first = std::bit_floor(static_cast<unsigned>(n)), longest = 31, apart = first / ((longest + 1) / 2);
    if constexpr (apart < 2 || V::type.size() < 2 * longest) {
      return steps<first>(a, v, count(v, 0));
    } else {
      auto const few = a(slice<apart - 1, none_t{}, apart>);
      return steps<apart / 2>(a, v, steps<(longest + 1) / 2>(few, v, count(v, 0)) * apart);
    }
  }
  template <int Step, class A, class V, class I>
  static constexpr I steps(A const& a, V const& v, I const& found) {
    if constexpr (Step == 0) {
      return found;
    } else {
      constexpr int n = A::extent(0);
      auto const next = found + Step;
      auto const before = comes_before<Right>(take(a, next - 1, mode_clip), v);
      I const taken = where((next <= n) & before, next, found);
      return steps<Step / 2>(a, v, taken);
    }
  }
};
template <bool Right>
struct searchsorted_op {
  template <operand A, operand V>
  constexpr auto operator()(A const& a, V const& v) const {
    using type = strong_t<promote_t<type_in<A>, type_in<V>>>;
    return named_call<searchsorted_body<Right>>("searchsorted", as_expr<type>(a), as_expr<type>(v));
  }
};

// The same in a[order].
template <bool Right>
struct searchsorted_by_op {
  template <operand A, operand V, operand I>
  constexpr auto operator()(A const& a, V const& v, I const& order) const {
    return searchsorted_op<Right>{}(take(as_traced(a), as_traced(order), mode_clip), v);
  }
};
template <class I>
struct sorter_option {
  I order;
};
template <class I>
inline constexpr option_word word_of<sorter_option<I>>{"sorter(order)"};

// Bins that go down are searched from their end: as many as are not before x in that order are so in the other.
template <bool Right>
struct digitize_body {
  template <tracer X, tracer B>
  constexpr auto operator()(X const& x, B const& bins) const {
    constexpr int n = B::extent(0);
    if constexpr (n == 0) {
      return searchsorted_op<!Right>{}(bins, x);
    } else {
      auto const go_up = bins(-1) >= bins(0);
      auto const before = searchsorted_op<!Right>{}(where(go_up, bins, rev(bins, axis<0>)), x);
      return where(go_up, before, n - before);
    }
  }
};
template <bool Right>
struct digitize_op {
  template <operand X, operand B>
  constexpr auto operator()(X const& x, B const& bins) const {
    return named_call<digitize_body<Right>>("digitize", as_traced(x), as_traced(bins));
  }
};

template <class... Tags>
inline constexpr bool is_to_the_right = (std::is_same_v<Tags, side_right_t> || ...);
// Conditions of static_asserts: compilers print the types.
template <class A>
inline constexpr bool is_a_row = rank_in<A> == 1;
template <class O>
inline constexpr bool is_a_sorting_row = true;
template <class I>
inline constexpr bool is_a_sorting_row<sorter_option<I>> = rank_in<I> == 1;

}  // namespace detail

// An option of searchsorted: the indices that sort a, argsort(a), where a is not sorted itself (sorter= of jax.numpy.searchsorted).
inline constexpr struct sorter_function {
  template <array_like I>
  constexpr detail::sorter_option<I> operator()(I const& order) const {
    return {order};
  }
} sorter{};
// For each of v the index in the sorted vector a before which it would be inserted: int32, of v's shape; the dtypes are promoted. NaN is
// the largest. side_right: behind equal elements. Refused: an a or a sorter that is not a vector (jax.numpy.searchsorted).
inline constexpr struct searchsorted_function {
  template <array_like A, array_like V, class... O>
  constexpr auto operator()(A const& a, V const& v, O const&... options) const {
    EXPRAX_TAKES("searchsorted", "side_right, sorter(order)", O...) {
      constexpr bool right = detail::is_to_the_right<O...>;
      auto const order = detail::find_tag<detail::sorter_option>(options...);
      static_assert(detail::is_a_row<A>, "exprax: searchsorted: a should be 1-dimensional");
      static_assert((detail::is_a_sorting_row<O> && ...), "exprax: searchsorted: the sorter should be 1-dimensional");
      if constexpr (!detail::is_a_row<A> || !(detail::is_a_sorting_row<O> && ...))
        return v;  // after the error: nothing that leads to others
      else if constexpr (detail::has_tag<detail::sorter_option, O...>)
        return detail::apply<detail::searchsorted_by_op<right>>(a, v, std::get<0>(order).order);
      else return detail::apply<detail::searchsorted_op<right>>(a, v);
    } else {
      return v;
    }
  }
} searchsorted{};
// The number of the bin of each of x among increasing or decreasing edges: int32, of x's shape. Of increasing ones bin i is bins[i - 1] <=
// x < bins[i]; with side_right (right=True) bins[i - 1] < x <= bins[i]. Refused: bins that are not a vector (jax.numpy.digitize).
inline constexpr struct digitize_function {
  template <array_like X, array_like B, class... Side>
  constexpr auto operator()(X const& x, B const& bins, Side...) const {
    EXPRAX_TAKES("digitize", "side_right", Side...) {
      static_assert(detail::is_a_row<B>, "exprax: digitize: bins must be a 1-dimensional array");
      if constexpr (detail::is_a_row<B>) return detail::apply<detail::digitize_op<detail::is_to_the_right<Side...>>>(x, bins);
      else return x;
    } else {
      return x;
    }
  }
} digitize{};

}  // namespace exprax
