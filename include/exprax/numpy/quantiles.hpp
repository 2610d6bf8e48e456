// SPDX-License-Identifier: BSL-1.0
// Quantiles (jax.numpy): median, quantile, percentile, and the same without NaN: nanmedian, nanquantile, nanpercentile; partition
// and argpartition. Quantiles of all elements, or along axis<...>, with keepdims; q is a number or an array of rank 1, whose axis
// goes first. The method says what is between two elements: method_linear (the default), method_lower, method_higher,
// method_midpoint, method_nearest.
#pragma once

#include <exprax/numpy/operators.hpp>
#include <exprax/numpy/rounding.hpp>
#include <exprax/numpy/sorting.hpp>
#include <exprax/numpy/statistics.hpp>
#include <exprax/numpy/take.hpp>

namespace exprax {

namespace detail {

enum class quantile_method { linear, lower, higher, midpoint, nearest };
template <quantile_method>
struct quantile_method_t {};

template <class M, class... Rest>
inline constexpr quantile_method method_of = method_of<Rest...>;
template <quantile_method M, class... Rest>
inline constexpr quantile_method method_of<quantile_method_t<M>, Rest...> = M;
template <>
inline constexpr quantile_method method_of<void> = quantile_method::linear;

template <quantile_method M, class... Rest>
struct reduction_tags<quantile_method_t<M>, Rest...> : reduction_tags<Rest...> {};
template <class Tag>
inline constexpr bool is_quantile_method = false;
template <quantile_method M>
inline constexpr bool is_quantile_method<quantile_method_t<M>> = true;
template <class Tag>
concept quantile_tag = reduction_tag<Tag> || is_quantile_method<Tag>;

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
  struct turned {
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
  if constexpr (X::rank < 2) return bind<expr_from<shape>>(prim::reshape, shape::sizes, x);
  else return bind<expr_from<shape>>(prim::reshape, shape::sizes, bind<expr_from<typename shape::turned>>(prim::transpose, shape::order, x));
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
    auto const share = fraction<type>(q);
    auto const r = [&] {
      if constexpr (WithoutNan) return of_numbers<type>(sorted, share);
      else return of_all<type>(sorted, share);
    }();
    return as_expr<result>(kept<X, rank_in<Q>>(r));
  }

 private:
  template <class T, class Q>
  static constexpr auto fraction(Q const& q) {
    if constexpr (Percent) return as_expr<T>(q) / T(100);
    else return as_expr<T>(q);
  }
  template <class X, int Leading, class R>
  static constexpr auto kept(R const& r) {
    if constexpr (tags::keep) {
      using shape = typename unreduced<X, tags, Leading>::template shape<R>;
      return bind<expr_from<shape>>(prim::broadcast_in_dim, shape::of.params, r);
    } else {
      return r;
    }
  }
  // q with axes of 1 behind it, for values of this rank.
  template <int Rank, class Q>
  static constexpr auto spread(Q const& q) {
    if constexpr (Q::rank == 0) return q;
    else return [&]<int... I>(std::integer_sequence<int, I...>) { return expanded<(I + 1)...>(q); }(std::make_integer_sequence<int, Rank>{});
  }
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
    auto const r = between<method>(element(low), element(ceil(at)), spread<last>(at - low));
    auto const greatest = take(sorted, n - 1, axis<last>, mode_clip);
    return where(isnan(greatest), T(std::numeric_limits<float>::quiet_NaN()), r);
  }
  // What is NaN stands behind the numbers of its row.
  template <class T, class S, class Q>
  static constexpr auto of_numbers(S const& sorted, Q const& q) {
    constexpr int last = S::rank - 1;
    auto const most = reduced<prim::reduce_sum, reduction_tags<axis_t<-1>>>(where(isnan(sorted), literal<T>(0), literal<T>(1))) - T(1);
    auto const at = spread<last>(q) * most, low = floor(at);
    auto const element = [&](auto const& index) {
      auto const inside = as_expr<std::int32_t>(maximum(T(0), minimum(index, most)));
      if constexpr (Q::rank == 0) return squeeze(take_along_axis(sorted, expand_dims(inside, axis<-1>), axis<-1>, mode_clip), axis<-1>);
      else return moveaxis<-1, 0>(take_along_axis(sorted, moveaxis<0, -1>(inside), axis<-1>, mode_clip));
    };
    return between<method>(element(low), element(ceil(at)), at - low);
  }
};

// jax.numpy.partition: the smallest kth + 1, by top_k of what is turned around, then the largest of all. Arguments: the indices, by
// top_k of the same and of those that are left.
template <int Kth, int Axis, bool Arguments>
struct partition_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    constexpr int at = normal_axis(Axis, X::rank), n = X::extent(at), kth = Kth < 0 ? Kth + n : Kth;
    auto const rows = swapaxes<at, -1>(x);
    auto const smallest = top_k<kth + 1>(turned_around(rows));
    if constexpr (Arguments) {
      auto const first = std::get<1>(smallest);
      auto const left = put_along_axis(ones_like(astype<float>(rows)), first, 0.0f, axis<-1>);
      return swapaxes<at, -1>(joined<X::rank - 1>(first, std::get<1>(top_k<n - kth - 1>(left))));
    } else {
      return swapaxes<at, -1>(joined<X::rank - 1>(turned_around(std::get<0>(smallest)), std::get<0>(top_k<n - kth - 1>(rows))));
    }
  }

 private:
  template <class V>
  static constexpr auto turned_around(V const& v) {
    if constexpr (is_unsigned_integer(V::type.type)) return ~v;
    else return -v;
  }
};
template <int Kth, int Axis, bool Arguments>
struct partition_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<partition_body<Kth, Axis, Arguments>>(Arguments ? "argpartition" : "partition", x);
  }
};
template <class X, int Kth, int Axis>
inline constexpr bool has_kth = [] {
  if (!has_axis_of_rows<X, Axis>) return true;
  int const n = aval_in<X>.dims[normal_axis(Axis, rank_in<X>)];
  return Kth >= -n && Kth < n;
}();

// Conditions of static_asserts: compilers print the types.
template <class Q>
inline constexpr bool is_a_number_or_row = rank_in<Q> <= 1;
template <bool WithoutNan, bool Percent, class X, class Q, class... Tags>
constexpr auto quantile_of(X const& x, Q const& q) {
  static_assert(is_a_number_or_row<Q>, "exprax: quantile: q must have rank <= 1");
  static_assert(reduction_tags<Tags...>::template axes<X>.valid, "exprax: quantile: an axis is repeated, or out of range for the array");
  static_assert(!is_complex(aval_in<X>.type), "exprax: quantile does not support complex input, as the operation is poorly defined");
  static_assert(reduced_shape<X, reduction_tags<Tags...>>::count > 0, "exprax: quantile: of zero elements there is none");
  return apply<quantile_body<WithoutNan, Percent, Tags...>>(x, q);
}

}  // namespace detail

inline constexpr detail::quantile_method_t<detail::quantile_method::linear> method_linear{};
inline constexpr detail::quantile_method_t<detail::quantile_method::lower> method_lower{};
inline constexpr detail::quantile_method_t<detail::quantile_method::higher> method_higher{};
inline constexpr detail::quantile_method_t<detail::quantile_method::midpoint> method_midpoint{};
inline constexpr detail::quantile_method_t<detail::quantile_method::nearest> method_nearest{};

// What lies at share q of the sorted elements, q from 0 to 1 (jax.numpy.quantile): floats; NaN where there is one.
template <array_like X, array_like Q, detail::quantile_tag... Tags>
constexpr auto quantile(X const& x, Q const& q, Tags...) {
  return detail::quantile_of<false, false, X, Q, Tags...>(x, q);
}
// Of the elements that are no NaN.
template <array_like X, array_like Q, detail::quantile_tag... Tags>
constexpr auto nanquantile(X const& x, Q const& q, Tags...) {
  return detail::quantile_of<true, false, X, Q, Tags...>(x, q);
}
// q from 0 to 100.
template <array_like X, array_like Q, detail::quantile_tag... Tags>
constexpr auto percentile(X const& x, Q const& q, Tags...) {
  return detail::quantile_of<false, true, X, Q, Tags...>(x, q);
}
template <array_like X, array_like Q, detail::quantile_tag... Tags>
constexpr auto nanpercentile(X const& x, Q const& q, Tags...) {
  return detail::quantile_of<true, true, X, Q, Tags...>(x, q);
}
// The middle one of the sorted elements, or the mean of the two (jax.numpy.median).
template <array_like X, detail::reduction_tag... Tags>
constexpr auto median(X const& x, Tags...) {
  return detail::quantile_of<false, false, X, double, Tags..., detail::quantile_method_t<detail::quantile_method::midpoint>>(x, 0.5);
}
template <array_like X, detail::reduction_tag... Tags>
constexpr auto nanmedian(X const& x, Tags...) {
  return detail::quantile_of<true, false, X, double, Tags..., detail::quantile_method_t<detail::quantile_method::midpoint>>(x, 0.5);
}
// The element that sorting would put at kth is there, smaller ones before it, larger ones behind (jax.numpy.partition).
template <int Kth, array_like X, int Axis = -1>
constexpr auto partition(X const& x, axis_t<Axis> = {}) {
  static_assert(detail::has_axis_of_rows<X, Axis>, "exprax: partition: the axis is out of range for the array");
  static_assert(detail::has_kth<X, Kth, Axis>, "exprax: partition: kth is out of range for the axis");
  return detail::apply<detail::partition_op<Kth, Axis, false>>(x);
}
// The indices of such an order (jax.numpy.argpartition): int32.
template <int Kth, array_like X, int Axis = -1>
constexpr auto argpartition(X const& x, axis_t<Axis> = {}) {
  static_assert(detail::has_axis_of_rows<X, Axis>, "exprax: argpartition: the axis is out of range for the array");
  static_assert(detail::has_kth<X, Kth, Axis>, "exprax: argpartition: kth is out of range for the axis");
  return detail::apply<detail::partition_op<Kth, Axis, true>>(x);
}

}  // namespace exprax
