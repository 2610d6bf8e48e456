// SPDX-License-Identifier: BSL-1.0
// How many points lie in each bin of several dimensions (jax.numpy): histogramdd, histogram2d. Bins, weights and densities are those of
// histogram (numpy/statistics/histograms.hpp).
#pragma once

#include <exprax/numpy/indexing/ravel.hpp>
#include <exprax/numpy/statistics/bincount.hpp>
#include <exprax/numpy/statistics/histograms.hpp>

namespace exprax {

namespace detail {

// jax.numpy.histogramdd: the bins of each column, then the one number of all of them. Bins<k>... take their values from the front.
template <bool Density, bool Weighted, class... Bins>
struct histogramdd_op {
  static constexpr int dims = static_cast<int>(sizeof...(Bins));

  template <operand S, operand... V>
  constexpr auto operator()(S const& sample, V const&... values) const {
    return of_columns(sample, std::tuple<V...>(values...), std::make_integer_sequence<int, dims>{});
  }

 private:
  static constexpr int before(int k) {
    int const count[] = {Bins::values...};
    int n = 0;
    for (int i = 0; i < k; ++i) n += count[i];
    return n;
  }
  template <class B, int First, class X, class V, std::size_t... I>
  static constexpr auto edges_of(X const& x, V const& values, std::index_sequence<I...>) {
    return B::template edges<typename X::dtype_type>(x, std::get<First + I>(values)...);
  }
  template <class S, class V, int... K>
  static constexpr auto of_columns(S const& sample, V const& values, std::integer_sequence<int, K...>) {
    constexpr int last = before(dims);
    auto const w = [&] {
      if constexpr (Weighted) return std::get<last>(values);
      else return 1;
    }();
    using type =
        std::conditional_t<Weighted, strong_t<inexact_t<promote_t<type_in<S>, type_in<decltype(w)>>>>, strong_t<inexact_t<type_in<S>>>>;
    auto const points = as_expr<type>(sample);
    std::tuple const columns{index_read(points, all, K)...};
    std::tuple const edges{edges_of<Bins, before(K)>(std::get<K>(columns), values, std::make_index_sequence<Bins::values>{})...};
    std::tuple const bins{bin_of(std::get<K>(columns), std::get<K>(edges))...};
    constexpr int length = (1 * ... * (std::tuple_element_t<K, decltype(edges)>::extent(0) + 1));
    auto const at =
        ravel_multi_index_op<mode_word::clip, (std::tuple_element_t<K, decltype(edges)>::extent(0) + 1)...>{}(std::get<K>(bins)...);
    auto const total = [&] {
      if constexpr (Weighted) return bincount_op<length>{}(at, as_expr<type>(w));
      else return bincount_op<length>{}(at);
    }();
    auto const inner = index_read(reshaped<(std::tuple_element_t<K, decltype(edges)>::extent(0) + 1)...>(total), cut<K>...);
    if constexpr (Density) {
      auto const counts = as_expr<type>(inner);
      return std::tuple(per_volume<0>(counts / sum(counts), edges), edges);
    } else {
      return std::tuple(inner, edges);
    }
  }
  template <int>
  static constexpr slice_t<1, -1> cut{};
  template <class X, class E>
  static constexpr auto bin_of(X const& x, E const& edges) {
    auto const found = searchsorted_op<true>{}(edges, x);
    return where(x == edges(-1), found - 1, found);
  }
  template <int K, class H, class E>
  static constexpr auto per_volume(H const& h, E const& edges) {
    if constexpr (K == dims) {
      return h;
    } else {
      auto const& e = std::get<K>(edges);
      auto const width = e(slice<1, none_t{}>) - e(slice<0, -1>);
      return per_volume<K + 1>(h / ix_op<K, dims>{}(width), edges);
    }
  }
};
// x and y as the columns of a sample.
template <class Op>
struct histogram2d_op {
  template <operand X, operand Y, operand... V>
  constexpr auto operator()(X const& x, Y const& y, V const&... values) const {
    using type = promote_t<type_in<X>, type_in<Y>>;
    auto const r = Op{}(joined<1>(expanded<1>(as_expr<type>(x)), expanded<1>(as_expr<type>(y))), values...);
    return std::tuple_cat(std::make_tuple(std::get<0>(r)), std::get<1>(r));
  }
};
constexpr int bins_along(int k, int given, int const* bins) { return given == 0 ? 10 : given == 1 ? bins[0] : bins[k]; }
template <int... Bins>
constexpr int bin_count(int k) {
  int const bins[] = {Bins..., 0};
  return bins_along(k, static_cast<int>(sizeof...(Bins)), bins);
}

// One option that says where bins are for each of D dimensions.
template <int D, int... Bins>
struct histogram_call {
  template <class... R, class... O, class... X>
  static constexpr auto run(std::tuple<R...> const& places, std::tuple<O...> const& options, X const&... x) {
    return go(places, options, std::make_integer_sequence<int, D>{}, x...);
  }

 private:
  template <class... R, class... O, class... X, int... K>
  static constexpr auto go(std::tuple<R...> const& places, std::tuple<O...> const& options, std::integer_sequence<int, K...>,
                           X const&... x) {
    using op = histogramdd_op<asks_for_density<O...>, has_tag<weights_option, O...>, bins_for<R, bin_count<Bins...>(K)>...>;
    auto const values = std::tuple_cat(std::apply([](auto const&... r) { return std::tuple_cat(bin_values(r)...); }, places),
                                       std::apply([](auto const&... o) { return weight_values(o...); }, options));
    return std::apply(
        [&](auto const&... v) {
          if constexpr (sizeof...(X) == 2) return apply<histogram2d_op<op>>(x..., v...);
          else return apply<op>(x..., v...);
        },
        values);
  }
  template <class... O>
  static constexpr auto weight_values(O const&... o) {
    return std::apply([](auto const&... found) { return std::tuple(found.value...); }, find_tag<weights_option>(o...));
  }
};
template <int Columns, int... Bins>
inline constexpr bool has_bins_for = sizeof...(Bins) <= 1 || sizeof...(Bins) == Columns;
template <int N, class O>
inline constexpr bool weighs_samples = true;
template <int N, class W>
inline constexpr bool weighs_samples<N, weights_option<W>> = rank_in<W> == 1 && aval_in<W>.size() == N;
template <class S>
inline constexpr int columns_of = rank_in<S> == 2 ? aval_in<S>.dims[1] : 0;

}  // namespace detail

// (counts, tuple of edges) of points, which are rows, [n, d]: histogramdd<4>(points) or histogramdd<4, 3>(points), with a range or
// ex::none for each column, or a tuple of edges. The counts, [bins of each column...], are integers, or floats with weights or density.
// Refused: a sample that is not [n, d], bins, ranges or edges that are not one for each column, weights that are not one for each row
// (jax.numpy.histogramdd).
template <int... Bins, array_like S, class... O>
constexpr auto histogramdd(S const& sample, O const&... options) {
  EXPRAX_TAKES("histogramdd", "range(...)..., none..., density, weights(w)", O...) {
    constexpr int columns = detail::columns_of<S>;
    constexpr bool fit = detail::rank_in<S> == 2 && detail::has_bins_for<columns, Bins...> && detail::has_ranges_for<columns, O...>;
    static_assert(detail::rank_in<S> == 2, "exprax: histogramdd: the sample must be an array of rank 2: its rows are points");
    static_assert(fit, "exprax: histogramdd: should be a number of bins, and a range or ex::none, for each dimension, or none at all");
    if constexpr (fit) {
      static_assert((detail::weighs_samples<detail::aval_in<S>.dims[0], O> && ...),
                    "exprax: histogramdd: should have one weight for each sample");
      return detail::histogram_call<columns, Bins...>::run(detail::ranges_of<columns>(options...), std::tuple<O...>(options...), sample);
    } else {
      return sample;  // after the error: nothing that leads to others
    }
  } else {
    return sample;
  }
}
template <array_like S, array_like... E, class... O>
constexpr auto histogramdd(S const& sample, std::tuple<E...> const& edges, O const&... options) {
  EXPRAX_TAKES("histogramdd", "density, weights(w)", O...) {
    constexpr int columns = detail::columns_of<S>;
    static_assert(columns == sizeof...(E) && (detail::is_a_row<E> && ...),
                  "exprax: histogramdd: should be a vector of edges for each dimension");
    if constexpr (columns == sizeof...(E) && (detail::is_a_row<E> && ...)) {
      static_assert((detail::weighs_samples<detail::aval_in<S>.dims[0], O> && ...),
                    "exprax: histogramdd: should have one weight for each sample");
      return detail::histogram_call<columns>::run(edges, std::tuple<O...>(options...), sample);
    } else {
      return sample;  // after the error: nothing that leads to others
    }
  } else {
    return sample;
  }
}
// (counts, edges of x, edges of y) of the points (x[i], y[i]), as of histogramdd with two columns. Refused: x and y that are not vectors
// of one size (jax.numpy.histogram2d).
template <int... Bins, array_like X, array_like Y, class... O>
constexpr auto histogram2d(X const& x, Y const& y, O const&... options) {
  EXPRAX_TAKES("histogram2d", "range(...)..., none..., density, weights(w)", O...) {
    constexpr bool fit = detail::is_a_row<X> && detail::aval_in<X>.same_shape(detail::aval_in<Y>) && detail::has_bins_for<2, Bins...> &&
                         detail::has_ranges_for<2, O...>;
    static_assert(fit, "exprax: histogram2d: takes two vectors of one size, and bins and ranges for none or both of them");
    if constexpr (fit) return detail::histogram_call<2, Bins...>::run(detail::ranges_of<2>(options...), std::tuple<O...>(options...), x, y);
    else return x;  // after the error: nothing that leads to others
  } else {
    return x;
  }
}
template <array_like X, array_like Y, array_like A, array_like B, class... O>
constexpr auto histogram2d(X const& x, Y const& y, std::tuple<A, B> const& edges, O const&... options) {
  EXPRAX_TAKES("histogram2d", "density, weights(w)", O...) {
    constexpr bool fit =
        detail::is_a_row<X> && detail::aval_in<X>.same_shape(detail::aval_in<Y>) && detail::is_a_row<A> && detail::is_a_row<B>;
    static_assert(fit, "exprax: histogram2d: takes two vectors of one size, and two vectors of edges");
    if constexpr (fit) return detail::histogram_call<2>::run(edges, std::tuple<O...>(options...), x, y);
    else return x;
  } else {
    return x;
  }
}

}  // namespace exprax
