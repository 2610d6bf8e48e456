// SPDX-License-Identifier: BSL-1.0
// Places in sorted arrays (jax.numpy): searchsorted, digitize, histogram, histogram_bin_edges. NaN comes last, as in a sort.
#pragma once

#include <exprax/numpy/creation.hpp>
#include <exprax/numpy/operators.hpp>
#include <exprax/numpy/reductions.hpp>
#include <exprax/numpy/rounding.hpp>
#include <exprax/numpy/select.hpp>
#include <exprax/numpy/take.hpp>
#include <exprax/numpy/transpose.hpp>

namespace exprax {

struct side_right_t {};
// searchsorted, digitize: behind equal elements; else before them.
inline constexpr side_right_t side_right{};
struct density_t {};
// histogram: per unit of length, and all together 1.
inline constexpr density_t density{};
template <class Low, class High>
struct range_t {
  Low low;
  High high;
};
// histogram: where the first bin begins and the last one ends.
template <array_like Low, array_like High>
constexpr range_t<Low, High> range(Low const& low, High const& high) {
  return {low, high};
}

namespace detail {

// Whether a comes before v in a sort; Or_equal: or is equal to it.
template <bool OrEqual, tracer A, tracer V>
constexpr auto comes_before(A const& a, V const& v) {
  if constexpr (!is_floating(A::type.type)) {
    if constexpr (OrEqual) return a <= v;
    else return a < v;
  } else {
    auto const v_is_nan = v != v, a_is_nan = a != a;
    if constexpr (OrEqual) return (a <= v) | v_is_nan;
    else return (a < v) | (v_is_nan & (a_is_nan == false));
  }
}

// How many elements of a come before each of v. All searches go on together: a power of two less than what is left is added to
// the place where the element in front of it comes before.
template <bool Right>
struct searchsorted_body {
  template <tracer A, tracer V>
  constexpr auto operator()(A const& a, V const& v) const {
    constexpr int n = A::extent(0);
    auto const zero = like(v, 0);
    if constexpr (n == 0) {
      return zero;
    } else {
      constexpr int first = [] {
        int s = 1;
        while (2 * s <= n) s *= 2;
        return s;
      }();
      return search<first>(a, v, zero);
    }
  }

 private:
  template <tracer V>
  static constexpr auto like(V const& v, std::int32_t n) {
    std::uint64_t const bits = to_bits(n);
    return broadcast_shape<shape_in<V>>(constant<expr<std::int32_t>>(expr_access::get(v), {&bits, 1}));
  }
  template <int Step, class A, class V, class I>
  static constexpr I search(A const& a, V const& v, I const& found) {
    if constexpr (Step == 0) {
      return found;
    } else {
      constexpr int n = A::extent(0);
      auto const next = found + Step;
      auto const before = comes_before<Right>(take(a, next - 1, mode_clip), v);
      I const taken = where((next <= n) & before, next, found);
      return search<Step / 2>(a, v, taken);
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

// Bins that go down are searched from their end.
template <bool Right>
struct digitize_body {
  template <tracer X, tracer B>
  constexpr auto operator()(X const& x, B const& bins) const {
    constexpr int n = B::extent(0);
    auto const up = searchsorted_op<!Right>{}(bins, x);
    if constexpr (n == 0) return up;
    else return where(bins(-1) >= bins(0), up, n - searchsorted_op<!Right>{}(rev(bins, axis<0>), x));
  }
};
template <bool Right>
struct digitize_op {
  template <operand X, operand B>
  constexpr auto operator()(X const& x, B const& bins) const {
    return named_call<digitize_body<Right>>("digitize", as_traced(x), as_traced(bins));
  }
};

// jax.numpy.histogram_bin_edges: the range of the elements, or the one that is given; a range of one point is widened.
template <int Bins>
struct edges_op {
  template <operand X, operand... Range>
  constexpr auto operator()(X const& x, Range const&... range) const {
    using type = strong_t<inexact_t<type_in<X>>>;
    if constexpr (sizeof...(Range) == 2) return between<type>(as_expr<type>(range)...);
    else if constexpr (X::size() == 0) return between<type>(literal<type>(0), literal<type>(1));
    else return between<type>(as_expr<type>(min(x)), as_expr<type>(max(x)));
  }

 private:
  template <class T, class A, class B>
  static constexpr auto between(A const& low, B const& high) {
    auto const point = high - low == T(0);
    return linspace<Bins + 1>(where(point, low - T(0.5), low), where(point, high + T(0.5), high));
  }
};
template <bool Density>
struct counts_op {
  template <operand X, operand E, operand... W>
  constexpr auto operator()(X const& x, E const& bin_edges, W const&... w) const {
    using type = strong_t<inexact_t<type_in<X>>>;
    constexpr int n = aval_in<E>.dims[0];
    auto const a = reshaped<-1>(as_expr<type>(x));
    auto const edges = as_traced(bin_edges);
    auto const found = searchsorted_op<true>{}(edges, a);
    auto const bin = where(a == edges(-1), n - 1, found);
    auto const counts = total<n>(bin, a, w...)(slice<1, none>);
    if constexpr (Density) return std::tuple(counts / (edges(slice<1, none>) - edges(slice<0, -1>)) / sum(counts), edges);
    else return std::tuple(counts, edges);
  }

 private:
  template <int N, class Bin, class A>
  static constexpr auto total(Bin const& bin, A const& a) {
    using type = typename A::dtype_type;
    return zeros<type, N>().at(bin).add(ones_like(a));
  }
  template <int N, class Bin, class A, class W>
  static constexpr auto total(Bin const& bin, A const&, W const& w) {
    static_assert(aval_in<W>.size() == A::size(), "exprax: histogram: weights should have the same shape as the array");
    using type = strong_t<inexact_t<type_in<W>>>;
    return zeros<type, N>().at(bin).add(reshaped<-1>(as_expr<type>(w)));
  }
};
template <int Bins, bool Density, bool HasRange>
struct histogram_op {
  template <operand X, operand... More>
  constexpr auto operator()(X const& x, More const&... more) const {
    return split(as_traced(x), more...);
  }

 private:
  template <class X, class Low, class High, class... W>
    requires(HasRange)
  static constexpr auto split(X const& x, Low const& low, High const& high, W const&... w) {
    return counts_op<Density>{}(x, edges_op<Bins>{}(x, low, high), w...);
  }
  template <class X, class... W>
    requires(!HasRange)
  static constexpr auto split(X const& x, W const&... w) {
    return counts_op<Density>{}(x, edges_op<Bins>{}(x), w...);
  }
};

template <class... Tags>
inline constexpr bool is_to_the_right = (std::is_same_v<Tags, side_right_t> || ...);
// Conditions of static_asserts: compilers print the types.
template <class A>
inline constexpr bool is_a_row = rank_in<A> == 1;

}  // namespace detail

// For each of v the index in the sorted a, of rank 1, before which it would be inserted (jax.numpy.searchsorted): int32, of v's shape.
template <array_like A, array_like V, class... Side>
constexpr auto searchsorted(A const& a, V const& v, Side...) {
  static_assert(detail::is_a_row<A>, "exprax: searchsorted: a should be 1-dimensional");
  static_assert((std::is_same_v<Side, side_right_t> && ...), "exprax: searchsorted takes ex::side_right and nothing else");
  if constexpr (detail::is_a_row<A>) return detail::apply<detail::searchsorted_op<detail::is_to_the_right<Side...>>>(a, v);
  else return v;  // after the error: nothing that leads to others
}
// The bin of each of x among edges that go up or down (jax.numpy.digitize): int32. side_right (right=True): edges belong to the bin
// below them.
template <array_like X, array_like B, class... Side>
constexpr auto digitize(X const& x, B const& bins, Side...) {
  static_assert(detail::is_a_row<B>, "exprax: digitize: bins must be a 1-dimensional array");
  if constexpr (detail::is_a_row<B>) return detail::apply<detail::digitize_op<detail::is_to_the_right<Side...>>>(x, bins);
  else return x;
}
// Edges of equal bins between the least and the greatest element, or of range(low, high) (jax.numpy.histogram_bin_edges).
template <int Bins = 10, array_like X>
constexpr auto histogram_bin_edges(X const& x) {
  return detail::apply<detail::edges_op<Bins>>(x);
}
template <int Bins = 10, array_like X, class Low, class High>
constexpr auto histogram_bin_edges(X const& x, range_t<Low, High> const& r) {
  return detail::apply<detail::edges_op<Bins>>(x, r.low, r.high);
}
// How many elements lie in each bin, the last one closed, and the edges (jax.numpy.histogram): a pair; counts are floats.
// histogram<bins>(x), with range(low, high); or histogram(x, edges); with ex::density.
template <int Bins = 10, array_like X>
constexpr auto histogram(X const& x) {
  return detail::apply<detail::histogram_op<Bins, false, false>>(x);
}
template <int Bins = 10, array_like X>
constexpr auto histogram(X const& x, density_t) {
  return detail::apply<detail::histogram_op<Bins, true, false>>(x);
}
template <int Bins = 10, array_like X, class Low, class High>
constexpr auto histogram(X const& x, range_t<Low, High> const& r) {
  return detail::apply<detail::histogram_op<Bins, false, true>>(x, r.low, r.high);
}
template <array_like X, array_like E>
constexpr auto histogram(X const& x, E const& edges) {
  static_assert(detail::is_a_row<E>, "exprax: histogram: bins must be a 1-dimensional array of edges, or a number: histogram<bins>(x)");
  return detail::apply<detail::counts_op<false>>(x, edges);
}
template <array_like X, array_like E>
constexpr auto histogram(X const& x, E const& edges, density_t) {
  return detail::apply<detail::counts_op<true>>(x, edges);
}

}  // namespace exprax
