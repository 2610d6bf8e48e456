// SPDX-License-Identifier: BSL-1.0
// Quantiles (jax.numpy): median, quantile, percentile, and the same without NaN: nanmedian, nanquantile, nanpercentile. Of all
// elements, or along axis<...>, with keepdims; q is a number or an array of rank 1, whose axis goes first. The method says what is
// between two elements: method_linear (the default), method_lower, method_higher, method_midpoint, method_nearest; or
// method_inverted_cdf, the first element at which the sum of the weights reaches its share, which alone takes weights(w).
// Longer than 300 lines: many functions of a few lines each.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/rounding.hpp>
#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/sorting/sorting.hpp>
#include <exprax/numpy/statistics/statistics.hpp>

namespace exprax {

namespace detail {

enum class quantile_method { linear, lower, higher, midpoint, nearest, inverted_cdf };
template <quantile_method>
struct quantile_method_t {};
template <quantile_method M>
inline constexpr option_word word_of<quantile_method_t<M>>{"method_..."};

template <class M, class... Rest>
inline constexpr quantile_method method_of = method_of<Rest...>;
template <quantile_method M, class... Rest>
inline constexpr quantile_method method_of<quantile_method_t<M>, Rest...> = M;
template <>
inline constexpr quantile_method method_of<void> = quantile_method::linear;

template <quantile_method M, class... Rest>
struct reduction_tags<quantile_method_t<M>, Rest...> : reduction_tags<Rest...> {};

// The kept axes, then the reduced ones as one.
template <class X, class Tags>
struct shape_of_rows {
  static constexpr axis_set axes = Tags::template axes<X>;
  static constexpr param_list order = [] {
    param_list l;
    for (int i = 0; i < rank_in<X>; ++i)
      if (!axes.has(i)) l.push(i);
    for (int i = 0; i < axes.n; ++i) l.push(axes.of[i]);
    return l;
  }();
  struct transposed {
    static constexpr aval value = [] {
      aval a = aval_in<X>;
      for (int i = 0; i < a.rank; ++i) a.dims[i] = aval_in<X>.dims[order.at[i]];
      return a;
    }();
  };
  static constexpr aval kept = [] {
    aval a(aval_in<X>.type);
    for (int i = 0; i < rank_in<X>; ++i)
      if (!axes.has(i)) a.dims[a.rank++] = aval_in<X>.dims[i];
    return a;
  }();
  static constexpr int n = static_cast<int>(reduced_shape<X, Tags>::count);
  static constexpr aval value = kept.with_axis(kept.rank, n).with_type(aval_in<X>.type, aval_in<X>.weak);
  static constexpr param_list sizes = [] {
    param_list l;
    for (int i = 0; i < value.rank; ++i) l.push(value.dims[i]);
    return l;
  }();
};
template <class Tags, tracer X>
constexpr auto as_rows(X const& x) {
  using shape = shape_of_rows<X, Tags>;
  if constexpr (X::rank < 2) return detail::bind<expr_from<shape>>(prim::reshape, shape::sizes, x);
  else
    return detail::bind<expr_from<shape>>(prim::reshape, shape::sizes,
                                  detail::bind<expr_from<typename shape::transposed>>(prim::transpose, shape::order, x));
}
// A value of the kept shape with the reduced axes as 1, behind the axis of q if there is one.
template <class X, class Tags, int Leading>
struct unreduced {
  static constexpr axis_set places = [] {
    axis_set s;
    for (int i = 0; i < Tags::template axes<X>.n; ++i) s.of[s.n++] = Tags::template axes<X>.of[i] + Leading;
    return s;
  }();
  template <class R>
  struct shape {
    static constexpr expansion of = expand(aval_in<R>, places);
    static constexpr aval value = of.result;
  };
};

// What stands between two elements; weight: of the higher one.
template <quantile_method M, class A, class W>
constexpr auto between(A const& low, A const& high, W const& weight) {
  using T = typename A::dtype_type;
  if constexpr (M == quantile_method::lower) return low;
  else if constexpr (M == quantile_method::higher) return high;
  else if constexpr (M == quantile_method::midpoint) return (low + high) * strong_t<T>(0.5f);
  else if constexpr (M == quantile_method::nearest) return where(weight <= 0.5f, low, high);
  else return low * (1 - weight) + high * weight;
}

// q from 0 to 1.
template <bool Percent, class T, class Q>
constexpr auto share_of(Q const& q) {
  if constexpr (Percent) return as_expr<T>(q) / T(100);
  else return as_expr<T>(q);
}
// Of values of the kept shape, behind the axis of q if there is one: with keepdims the reduced axes as 1.
template <class X, class Tags, int Leading, class R>
constexpr auto with_kept_axes(R const& r) {
  if constexpr (Tags::keep) {
    using shape = typename unreduced<X, Tags, Leading>::template shape<R>;
    return detail::bind<expr_from<shape>>(prim::broadcast_in_dim, shape::of.params, r);
  } else {
    return r;
  }
}
// q with axes of 1 behind it, for values of this rank.
template <int Rank, class Q>
constexpr auto before_axes(Q const& q) {
  if constexpr (Q::rank == 0) return q;
  else return [&]<int... I>(std::integer_sequence<int, I...>) { return expanded<(I + 1)...>(q); }(std::make_integer_sequence<int, Rank>{});
}
// The element of each row at an index, or at one for each q.
template <bool Several, class S, class I>
constexpr auto element_of_rows(S const& rows, I const& index) {
  if constexpr (Several) return moveaxis<-1, 0>(take_along_axis(rows, moveaxis<0, -1>(index), axis<-1>, mode_clip));
  else return squeeze(take_along_axis(rows, expand_dims(index, axis<-1>), axis<-1>, mode_clip), axis<-1>);
}

template <bool WithoutNan, bool Percent, class... Tags>
struct quantile_body {
  using tags = reduction_tags<Tags...>;
  static constexpr quantile_method method = method_of<Tags..., void>;

  template <operand X, operand Q>
  constexpr auto operator()(X const& x, Q const& q) const {
    using result = strong_t<inexact_t<type_in<X>>>;
    using type = computed_in_t<result>;
    auto const a = as_expr<type>(x);
    auto const sorted = std::get<0>(lax_sorted<order_tags<>>(as_rows<tags>(a)));
    auto const share = share_of<Percent, type>(q);
    auto const r = [&] {
      if constexpr (WithoutNan) return of_numbers<type>(sorted, share);
      else return of_all<type>(sorted, share);
    }();
    return as_expr<result>(with_kept_axes<X, tags, rank_in<Q>>(r));
  }

 private:
  // One NaN makes all NaN: it is the last of its row.
  template <class T, class S, class Q>
  static constexpr auto of_all(S const& sorted, Q const& q) {
    constexpr int last = S::rank - 1, n = S::extent(last);
    auto const at = q * T(n - 1), low = floor(at);
    auto const element = [&](auto const& index) {
      auto const found = take(sorted, as_expr<std::int32_t>(clip(index, T(0), T(n - 1))), axis<last>, mode_clip);
      if constexpr (Q::rank == 0) return found;
      else return moveaxis<-1, 0>(found);
    };
    auto const r = between<method>(element(low), element(ceil(at)), before_axes<last>(at - low));
    auto const greatest = take(sorted, n - 1, axis<last>, mode_clip);
    return where(isnan(greatest), T(std::numeric_limits<float>::quiet_NaN()), r);
  }
  // What is NaN stands behind the numbers of its row.
  template <class T, class S, class Q>
  static constexpr auto of_numbers(S const& sorted, Q const& q) {
    constexpr int last = S::rank - 1;
    auto const most = reduced<prim::reduce_sum, reduction_tags<axis_t<-1>>>(where(isnan(sorted), literal<T>(0), literal<T>(1))) - T(1);
    auto const at = before_axes<last>(q) * most, low = floor(at);
    auto const element = [&](auto const& index) {
      return element_of_rows<Q::rank != 0>(sorted, as_expr<std::int32_t>(maximum(T(0), minimum(index, most))));
    };
    return between<method>(element(low), element(ceil(at)), at - low);
  }
};

// jax.numpy's method "inverted_cdf".
template <bool WithoutNan, bool Percent, class... Tags>
struct weighted_quantile_body {
  using tags = reduction_tags<Tags...>;

  template <operand X, operand Q>
  constexpr auto operator()(X const& x, Q const& q) const {
    return (*this)(x, q, 1);
  }
  template <operand X, operand Q, operand W>
  constexpr auto operator()(X const& x, Q const& q, W const& w) const {
    using result = strong_t<inexact_t<promote_t<type_in<X>, type_in<W>>>>;
    using type = computed_in_t<result>;
    auto const sorted = [&] {
      if constexpr (rank_in<W> == 0)
        return lax_sorted<order_tags<>>(as_rows<tags>(as_expr<type>(x)), as_rows<tags>(broadcast_shape<shape_in<X>>(as_expr<type>(w))));
      else
        return lax_sorted<order_tags<>>(as_rows<tags>(as_expr<type>(x)), as_rows<tags>(spread_weights<X, tags>(as_expr<type>(w))));
    }();
    return as_expr<result>(
        with_kept_axes<X, tags, rank_in<Q>>(of_rows<type>(std::get<0>(sorted), std::get<1>(sorted), share_of<Percent, type>(q))));
  }

 private:
  template <class T, class S, class Q>
  static constexpr auto of_rows(S const& a, S const& weight, Q const& q) {
    constexpr int last = S::rank - 1, n = S::extent(last);
    auto const nans = isnan(a), bad = (weight < T(0)) | isnan(weight);
    auto const sums = cumsum(where(bad | nans, literal<T>(0), weight), axis<last>);
    auto const target = before_axes<last>(q) * take(sums, n - 1, axis<last>, mode_clip);
    auto const index = sum(sums < expand_dims(target, axis<-1>), axis<-1>);
    auto const count = sum(where(nans, 0, 1), axis<last>);  // NaN is behind the numbers of its row
    auto const found = [&] {
      if constexpr (WithoutNan) return element_of_rows<Q::rank != 0>(a, maximum(0, minimum(index, count - 1)));
      else return element_of_rows<Q::rank != 0>(a, minimum(index, n - 1));
    }();
    auto const none = [&] {
      if constexpr (WithoutNan) return any(bad, axis<last>) | (count == 0);
      else return any(bad | nans, axis<last>);
    }();
    return where(none, T(std::numeric_limits<float>::quiet_NaN()), found);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class Q>
inline constexpr bool is_a_number_or_row = rank_in<Q> <= 1;
template <bool WithoutNan, bool Percent, class X, class Q, class... O>
constexpr auto quantile_of(X const& x, Q const& q, [[maybe_unused]] O const&... options) {
  using tags = reduction_tags<O...>;
  constexpr bool weighted = has_tag<weights_option, O...>, by_share = method_of<O..., void> == quantile_method::inverted_cdf;
  static_assert(is_a_number_or_row<Q>, "exprax: quantile: q must have rank <= 1");
  static_assert(tags::template axes<X>.valid, "exprax: quantile: an axis is repeated, or out of range for the array");
  static_assert(!is_complex(aval_in<X>.type), "exprax: quantile does not support complex input, as the operation is poorly defined");
  static_assert(reduced_shape<X, tags>::count > 0, "exprax: quantile: of zero elements there is none");
  static_assert(by_share || !weighted, "exprax: quantile: only the method inverted_cdf supports weights: give ex::method_inverted_cdf");
  if constexpr (weighted && by_share) {
    auto const w = std::get<0>(find_tag<weights_option>(options...)).value;  // not a reference: the tuple is gone
    static_assert(
        weighs_axes<X, std::remove_cvref_t<decltype(w)>, tags>,
        "exprax: quantile: the weights must have the shape of the array, or that of the axes, in the order in which they are given");
    return apply<weighted_quantile_body<WithoutNan, Percent, O...>>(x, q, w);
  } else if constexpr (by_share) {
    return apply<weighted_quantile_body<WithoutNan, Percent, O...>>(x, q);
  } else {
    return apply<quantile_body<WithoutNan, Percent, O...>>(x, q);
  }
}

}  // namespace detail

inline constexpr detail::quantile_method_t<detail::quantile_method::linear> method_linear{};
inline constexpr detail::quantile_method_t<detail::quantile_method::lower> method_lower{};
inline constexpr detail::quantile_method_t<detail::quantile_method::higher> method_higher{};
inline constexpr detail::quantile_method_t<detail::quantile_method::midpoint> method_midpoint{};
inline constexpr detail::quantile_method_t<detail::quantile_method::nearest> method_nearest{};
inline constexpr detail::quantile_method_t<detail::quantile_method::inverted_cdf> method_inverted_cdf{};

// What lies at share q of the sorted elements, q from 0 to 1; NaN where there is one. q [] or [k] -> [kept axes...] or [k, kept axes...];
// dtype of x, integers become float32 (x64: float64). Refused: q of rank above 1, complex x, no elements, an axis out of range, weights(w)
// without method_inverted_cdf (jax.numpy.quantile).
inline constexpr struct quantile_function {
  template <array_like X, array_like Q, class... O>
  constexpr auto operator()(X const& x, Q const& q, O const&... options) const {
    EXPRAX_TAKES("quantile", "axis<...>, keepdims, method_..., weights(w)", O...)
    return detail::quantile_of<false, false, X, Q, O...>(x, q, options...);
    else return x;
  }
} quantile{};
// quantile of the elements that are not NaN; NaN where there are none (jax.numpy.nanquantile).
inline constexpr struct nanquantile_function {
  template <array_like X, array_like Q, class... O>
  constexpr auto operator()(X const& x, Q const& q, O const&... options) const {
    EXPRAX_TAKES("nanquantile", "axis<...>, keepdims, method_..., weights(w)", O...)
    return detail::quantile_of<true, false, X, Q, O...>(x, q, options...);
    else return x;
  }
} nanquantile{};
// quantile and nanquantile with q from 0 to 100 (jax.numpy.percentile, nanpercentile).
inline constexpr struct percentile_function {
  template <array_like X, array_like Q, class... O>
  constexpr auto operator()(X const& x, Q const& q, O const&... options) const {
    EXPRAX_TAKES("percentile", "axis<...>, keepdims, method_..., weights(w)", O...)
    return detail::quantile_of<false, true, X, Q, O...>(x, q, options...);
    else return x;
  }
} percentile{};
inline constexpr struct nanpercentile_function {
  template <array_like X, array_like Q, class... O>
  constexpr auto operator()(X const& x, Q const& q, O const&... options) const {
    EXPRAX_TAKES("nanpercentile", "axis<...>, keepdims, method_..., weights(w)", O...)
    return detail::quantile_of<true, true, X, Q, O...>(x, q, options...);
    else return x;
  }
} nanpercentile{};
// The middle one of the sorted elements, or the mean of the two; nanmedian of those that are not NaN. Shape, dtype and errors as of
// quantile (jax.numpy.median, nanmedian).
inline constexpr struct median_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("median", "axis<...>, keepdims", Tags...)
      return detail::quantile_of<false, false>(x, 0.5, Tags{}..., detail::quantile_method_t<detail::quantile_method::midpoint>{});
    else return x;
  }
} median{};
inline constexpr struct nanmedian_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("nanmedian", "axis<...>, keepdims", Tags...)
      return detail::quantile_of<true, false>(x, 0.5, Tags{}..., detail::quantile_method_t<detail::quantile_method::midpoint>{});
    else return x;
  }
} nanmedian{};

}  // namespace exprax
