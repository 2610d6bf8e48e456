// SPDX-License-Identifier: BSL-1.0
// How many elements lie in each bin (jax.numpy): histogram, histogram_bin_edges. Bins are a number, then between the least and the
// greatest element or in range(low, high), or an array of edges; the last bin is closed. With weights(w) each element counts as much,
// with ex::density results are per unit of length and sum to 1.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/indexing/at.hpp>
#include <exprax/numpy/reductions/reduction_options.hpp>
#include <exprax/numpy/sorting/searching.hpp>

namespace exprax {

struct density_t {};
// Per unit of length, and all together 1.
inline constexpr density_t density{};
template <class Low, class High>
struct range_t {
  Low low;
  High high;
};
// An option: the first bin begins at low and the last one ends at high (range= of jax.numpy.histogram).
inline constexpr struct range_function {
  template <array_like Low, array_like High>
  constexpr range_t<Low, High> operator()(Low const& low, High const& high) const {
    return {low, high};
  }
} range{};

namespace detail {

template <class L, class H>
inline constexpr option_word word_of<range_t<L, H>>{"range(...)"};
template <>
inline constexpr option_word word_of<density_t>{"density"};

template <class O>
inline constexpr bool is_range = false;
template <class Low, class High>
inline constexpr bool is_range<range_t<Low, High>> = true;
template <class O>
concept bin_range = is_range<O> || std::is_same_v<O, none_t>;
template <class... O>
inline constexpr bool asks_for_density = (std::is_same_v<O, density_t> || ...);
template <class... O>
inline constexpr int ranges_in = (0 + ... + (bin_range<O> ? 1 : 0));

// The edges of one dimension. Given: by nothing but the elements, by a range, by themselves.
enum class bins_by { elements, range, edges };
template <bins_by By, int Bins>
struct bins_of {
  static constexpr int values = By == bins_by::elements ? 0 : By == bins_by::range ? 2 : 1;

  // A range of one point is widened.
  template <class T, class X, class... V>
  static constexpr auto edges(X const& x, V const&... given) {
    if constexpr (By == bins_by::edges) return as_expr<T>(given...);
    else if constexpr (By == bins_by::range) return between<T>(as_expr<T>(given)...);
    else if constexpr (X::size() == 0) return between<T>(literal<T>(convert_number<T>(0)), literal<T>(convert_number<T>(1)));
    else return between<T>(as_expr<T>(min(x)), as_expr<T>(max(x)));
  }

 private:
  template <class T, class A, class B>
  static constexpr auto between(A const& low, B const& high) {
    auto const point = high - low == convert_number<T>(0);
    return linspace<Bins + 1>(where(point, low - convert_number<T>(0.5), low), where(point, high + convert_number<T>(0.5), high));
  }
};
template <class Bins>
struct edges_op {
  template <operand X, operand... V>
  constexpr auto operator()(X const& x, V const&... given) const {
    return Bins::template edges<strong_t<inexact_t<type_in<X>>>>(as_traced(x), given...);
  }
};
template <class Bins, bool Density>
struct histogram_op {
  template <operand X, operand... V>
  constexpr auto operator()(X const& x, V const&... values) const {
    return with(x, std::tuple<V...>(values...), std::make_index_sequence<Bins::values>{});
  }

 private:
  template <class X, class V, std::size_t... I>
  static constexpr auto with(X const& x, V const& values, std::index_sequence<I...>) {
    constexpr bool weighted = std::tuple_size_v<V> > Bins::values;
    auto const w = [&] {
      if constexpr (weighted) return std::get<Bins::values>(values);
      else return 1;
    }();
    using type =
        std::conditional_t<weighted, strong_t<inexact_t<promote_t<type_in<X>, type_in<decltype(w)>>>>, strong_t<inexact_t<type_in<X>>>>;
    auto const a = reshaped<-1>(as_expr<type>(x));
    auto const edges = Bins::template edges<type>(a, std::get<I>(values)...);
    constexpr int n = std::remove_const_t<decltype(edges)>::extent(0);
    auto const bin = where(a == edges(-1), n - 1, searchsorted_op<true>{}(edges, a));
    auto const none = constant_like<expr<type, n>>(a, convert_number<type>(0));
    auto const counts = [&] {
      if constexpr (weighted) return make_at(none, bin).add(reshaped<-1>(as_expr<type>(w)));
      else return make_at(none, bin).add(ones_like(a));
    }()(slice<1, none_t{}>);
    if constexpr (Density) return std::tuple(counts / (edges(slice<1, none_t{}>) - edges(slice<0, -1>)) / sum(counts), edges);
    else return std::tuple(counts, edges);
  }
};

// The values of a range, or of edges; of none: nothing.
template <class R>
constexpr auto bin_values(R const& r) {
  if constexpr (is_range<R>) return std::tuple(r.low, r.high);
  else if constexpr (array_like<R>) return std::tuple<R>(r);
  else return std::tuple<>();
}
template <class R, int Bins>
using bins_for = bins_of<is_range<R> ? bins_by::range : array_like<R> ? bins_by::edges : bins_by::elements, Bins>;
// The ranges among the options.
template <class O>
constexpr auto as_range(O const& o) {
  if constexpr (bin_range<O>) return std::tuple<O>(o);
  else return std::tuple<>();
}
// D ranges: those that are given, or none.
template <int D, class... O>
constexpr auto ranges_of(O const&... options) {
  if constexpr (ranges_in<O...> > 0) return std::tuple_cat(as_range(options)...);
  else
    return []<int... K>(std::integer_sequence<int, K...>) { return std::tuple(((void)K, none_t{})...); }
  (std::make_integer_sequence<int, D>{});
}
template <int Columns, class... O>
inline constexpr bool has_ranges_for = ranges_in<O...> == 0 || ranges_in<O...> == Columns;
template <class X, class O>
inline constexpr bool weighs_all = true;
template <class X, class W>
inline constexpr bool weighs_all<X, weights_option<W>> = aval_in<W>.same_shape(aval_in<X>);

// One dimension: places tells where the bins are, by a tuple of one.
template <int Bins, class X, class R, class... O>
constexpr auto histogram_with(X const& x, std::tuple<R> const& places, O const&... options) {
  constexpr bool fit = (weighs_all<X, O> && ...);
  static_assert(fit, "exprax: histogram: weights should have the same shape as the array");
  auto const weight = std::apply([](auto const&... found) { return std::tuple(found.value...); }, find_tag<weights_option>(options...));
  if constexpr (fit)
    return std::apply([&](auto const&... v) { return apply<histogram_op<bins_for<R, Bins>, asks_for_density<O...>>>(x, v...); },
                      std::tuple_cat(bin_values(std::get<0>(places)), weight));
  else
    return std::tuple(x, x);  // after the error: nothing that leads to others
}

}  // namespace detail

// The edges of Bins equal bins (10) between the least and the greatest element, or of range(low, high), or the edges that are given: [Bins
// + 1], dtype of x; integers become float32 (x64: float64). Refused: edges that are not a vector (jax.numpy.histogram_bin_edges).
template <int Bins = 10, array_like X>
constexpr auto histogram_bin_edges(X const& x) {
  return detail::apply<detail::edges_op<detail::bins_for<none_t, Bins>>>(x);
}
template <int Bins = 10, array_like X, class Low, class High>
constexpr auto histogram_bin_edges(X const& x, range_t<Low, High> const& r) {
  return detail::apply<detail::edges_op<detail::bins_for<range_t<Low, High>, Bins>>>(x, r.low, r.high);
}
template <array_like X, array_like E>
constexpr auto histogram_bin_edges(X const& x, E const& edges) {
  static_assert(detail::is_a_row<E>,
                "exprax: histogram_bin_edges: bins must be a 1-dimensional array of edges, or a number: histogram_bin_edges<bins>(x)");
  return detail::apply<detail::edges_op<detail::bins_for<E, 0>>>(x, edges);
}
// (counts, edges) of the elements: histogram<bins>(x), with range(low, high), or histogram(x, edges). [bins] and [bins + 1], both of the
// dtype that x and the weights promote to; integers become float32 (x64: float64). Refused: edges that are not a vector, weights of
// another shape than x (jax.numpy.histogram).
template <int Bins = 10, array_like X, class... O>
constexpr auto histogram(X const& x, O const&... options) {
  EXPRAX_TAKES("histogram", "range(...), density, weights(w)", O...) {
    return detail::histogram_with<Bins>(x, detail::ranges_of<1>(options...), options...);
  } else {
    return std::tuple(x, x);
  }
}
template <array_like X, array_like E, class... O>
constexpr auto histogram(X const& x, E const& edges, O const&... options) {
  EXPRAX_TAKES("histogram", "density, weights(w)", O...) {
    static_assert(detail::is_a_row<E>, "exprax: histogram: bins must be a 1-dimensional array of edges, or a number: histogram<bins>(x)");
    if constexpr (detail::is_a_row<E>) return detail::histogram_with<0>(x, std::tuple<E>(edges), options...);
    else return std::tuple(x, x);  // after the error: nothing that leads to others
  } else {
    return std::tuple(x, x);
  }
}

}  // namespace exprax
