// SPDX-License-Identifier: BSL-1.0
// Differences and sums along axes (jax.numpy): diff, ediff1d, gradient, trapezoid; nancumsum, nancumprod; cov and corrcoef.
#pragma once

#include <exprax/numpy/creation.hpp>
#include <exprax/numpy/cumulative.hpp>
#include <exprax/numpy/joining.hpp>
#include <exprax/numpy/linalg.hpp>
#include <exprax/numpy/matmul.hpp>
#include <exprax/numpy/operators.hpp>
#include <exprax/numpy/select.hpp>
#include <exprax/numpy/sorting.hpp>
#include <exprax/numpy/statistics.hpp>

namespace exprax {

namespace detail {

// Elements Start, ... before Limit of one axis; a negative Limit counts from the end.
template <class X, int Axis, int Start, int Limit>
struct range_along {
  static constexpr int n = X::extent(Axis), limit = Limit < 0 ? n + Limit : Limit;
  static constexpr aval value = [] {
    aval a = X::type;
    a.dims[Axis] = limit > Start ? limit - Start : 0;
    return a;
  }();
  static constexpr param_list params = [] {
    param_list l;
    for (int i = 0; i < X::rank; ++i) l.push(i == Axis ? Start : 0);
    for (int i = 0; i < X::rank; ++i) l.push(i == Axis ? Start + value.dims[Axis] : X::type.dims[i]);
    return l;
  }();
};
template <int Axis, int Start, int Limit, tracer X>
constexpr auto part_along(X const& x) {
  using part = range_along<X, Axis, Start, Limit>;
  return bind<expr_from<part>>(prim::slice, part::params, x);
}
template <int Axis, tracer X>
constexpr auto all_but_first(X const& x) {
  constexpr int n = X::extent(Axis);
  return part_along<Axis, (n > 0 ? 1 : 0), n>(x);
}
template <int Axis, tracer X>
constexpr auto all_but_last(X const& x) {
  constexpr int n = X::extent(Axis);
  return part_along<Axis, 0, (n > 0 ? n - 1 : 0)>(x);
}

template <int N, int Axis>
struct diff_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    constexpr int axis = normal_axis(Axis, X::rank);
    if constexpr (N == 0) {
      return x;
    } else {
      auto const later = all_but_first<axis>(x), earlier = all_but_last<axis>(x);
      if constexpr (is_bool(X::type.type)) return diff_body<N - 1, Axis>{}(not_equal(later, earlier));
      else return diff_body<N - 1, Axis>{}(later - earlier);
    }
  }
};
template <int N, int Axis>
struct diff_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<diff_body<N, Axis>>("diff", x);
  }
};
struct ediff1d_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    return diff_body<1, 0>{}(reshaped<-1>(x));
  }
};
struct ediff1d_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<ediff1d_body>("ediff1d", x);
  }
};

// A vector along one axis of x, the others 1.
template <class X, int Axis, class V>
struct vector_along {
  static constexpr aval value = [] {
    aval a = aval_in<V>;
    a.rank = X::rank;
    for (int i = 0; i < a.rank; ++i) a.dims[i] = i == Axis ? X::extent(Axis) : 1;
    return a;
  }();
  static constexpr param_list params = [] {
    param_list l;
    for (int i = 0; i < value.rank; ++i) l.push(value.dims[i]);
    return l;
  }();
};
template <int Axis, class X, class V>
constexpr auto place_along(V const& v) {
  using shape = vector_along<X, Axis, V>;
  static_assert(aval_in<V>.size() == X::extent(Axis), "exprax: spacing arrays must have the same length as the dimension along which they are");
  return bind<expr_from<shape>>(prim::reshape, shape::params, v);
}
// Along one axis: one-sided at the ends, the mean of both sides between them; h: a number, or the places.
template <int Axis, class X, class H>
constexpr auto gradient_along(X const& x, H const& h) {
  constexpr int n = X::extent(Axis);
  using T = strong_t<typename X::dtype_type>;
  auto const first = part_along<Axis, 1, 2>(x) - part_along<Axis, 0, 1>(x), last = part_along<Axis, n - 1, n>(x) - part_along<Axis, n - 2, n - 1>(x);
  if constexpr (rank_in<H> == 0) {
    auto const inner = (part_along<Axis, 2, n>(x) - part_along<Axis, 0, n - 2>(x)) * T(0.5f) / h;
    return joined<Axis>(first / h, inner, last / h);
  } else {
    auto const place = place_along<Axis, X>(h);
    auto const before = part_along<Axis, 1, n - 1>(place) - part_along<Axis, 0, n - 2>(place), after = part_along<Axis, 2, n>(place) - part_along<Axis, 1, n - 1>(place);
    auto const a = -after / (before * (before + after)), b = (after - before) / (before * after), c = before / (after * (before + after));
    auto const inner = a * part_along<Axis, 0, n - 2>(x) + b * part_along<Axis, 1, n - 1>(x) + c * part_along<Axis, 2, n>(x);
    auto const first_step = part_along<Axis, 1, 2>(place) - part_along<Axis, 0, 1>(place);
    auto const last_step = part_along<Axis, n - 1, n>(place) - part_along<Axis, n - 2, n - 1>(place);
    return joined<Axis>(first / first_step, inner, last / last_step);
  }
}
template <int... Axes>
struct gradient_body {
  template <tracer X, tracer... H>
  constexpr auto operator()(X const& x, H const&... h) const {
    return over(x, std::tuple<H const&...>(h...), std::make_integer_sequence<int, static_cast<int>(sizeof...(Axes))>{});
  }

 private:
  template <class X, class H, int... I>
  static constexpr auto over(X const& x, H const& h, std::integer_sequence<int, I...>) {
    constexpr int axes[] = {normal_axis(Axes, X::rank)...};
    if constexpr (sizeof...(Axes) == 1) return gradient_along<axes[0]>(x, std::get<0>(h));
    else return std::tuple(gradient_along<axes[I]>(x, std::get<(std::tuple_size_v<H> > 1 ? I : 0)>(h))...);
  }
};
template <int... Axes>
struct gradient_op {
  template <operand X, operand... H>
  constexpr auto operator()(X const& x, H const&... h) const {
    using type = strong_t<inexact_t<promote_t<type_in<X>, promote_t<type_in<X>, type_in<H>>...>>>;
    if constexpr (sizeof...(H) == 0) return named_call<gradient_body<Axes...>>("gradient", as_expr<type>(x), literal<type>(type(1)));
    else return named_call<gradient_body<Axes...>>("gradient", as_expr<type>(x), as_expr<type>(h)...);
  }
};

template <int Axis>
struct trapezoid_body {
  template <tracer Y, tracer X>
  constexpr auto operator()(Y const& y, X const& x) const {
    constexpr int axis = normal_axis(Axis, Y::rank);
    using T = strong_t<typename Y::dtype_type>;
    auto const both = all_but_first<axis>(y) + all_but_last<axis>(y);
    if constexpr (X::rank == 0) {
      return sum(both, exprax::axis<axis>) * (x * T(0.5f));
    } else if constexpr (X::rank == 1) {
      auto const width = diff_body<1, 0>{}(x);
      return sum(both * place_along<axis, std::remove_const_t<decltype(both)>>(width), exprax::axis<axis>) * T(0.5f);
    } else {
      return sum(both * diff_body<1, axis>{}(x), exprax::axis<axis>) * T(0.5f);
    }
  }
};
template <int Axis>
struct trapezoid_op {
  template <operand Y, operand X>
  constexpr auto operator()(Y const& y, X const& x) const {
    using type = strong_t<inexact_t<promote_t<type_in<Y>, type_in<X>>>>;
    return named_call<trapezoid_body<Axis>>("trapezoid", as_expr<type>(y), as_expr<type>(x));
  }
};

// NaN counts as 0, or as 1.
template <prim P, class Tags>
struct nan_cumulative_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using T = strong_t<type_in<X>>;
    if constexpr (is_floating(dtype_of<T>)) return named_cumulative_op<P, Tags>{}(where(isnan(x), literal<T>(T(P == prim::cumsum ? 0 : 1)), as_expr<T>(x)));
    else return named_cumulative_op<P, Tags>{}(x);
  }
};

// Variables are rows, observations columns.
template <int Ddof, bool RowVar>
struct cov_body {
  template <tracer X, tracer... Y>
  constexpr auto operator()(X const& x, Y const&... y) const {
    return of_rows(joined_rows(variables(x), variables(y)...));
  }

 private:
  template <class X>
  static constexpr auto variables(X const& x) {
    if constexpr (X::rank == 1) return reshaped<1, X::extent(0)>(x);
    else if constexpr (RowVar) return x;
    else return swapaxes<0, 1>(x);
  }
  template <class First, class... Rest>
  static constexpr auto joined_rows(First const& first, Rest const&... rest) {
    if constexpr (sizeof...(Rest) == 0) return first;
    else return joined<0>(first, rest...);
  }
  template <class X>
  static constexpr auto of_rows(X const& x) {
    using T = strong_t<typename X::dtype_type>;
    auto const centered = x - mean(x, axis<1>, keepdims);
    auto const products = matmul(centered, swapaxes<0, 1>(centered)) / T(X::extent(1) - Ddof);
    if constexpr (X::extent(0) == 1) return squeeze(products);
    else return products;
  }
};
template <int Ddof, bool RowVar>
struct cov_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    using type = strong_t<inexact_t<promote_t<type_in<X>...>>>;
    return named_call<cov_body<Ddof, RowVar>>("cov", as_expr<type>(x)...);
  }
};
template <bool RowVar>
struct corrcoef_body {
  template <tracer... X>
  constexpr auto operator()(X const&... x) const {
    auto const c = cov_op<1, RowVar>{}(x...);
    using C = std::remove_const_t<decltype(c)>;
    if constexpr (C::rank == 0) {
      return c / c;
    } else {
      using T = strong_t<typename C::dtype_type>;
      constexpr int n = C::extent(0);
      auto const on_diagonal = exprax::eye<T, n>();
      auto const deviations = sqrt(sum(c * on_diagonal, axis<0>));
      return clip(c / expand_dims(deviations, axis<1>) / expand_dims(deviations, axis<0>), T(-1), T(1));
    }
  }
};
template <bool RowVar>
struct corrcoef_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    using type = strong_t<inexact_t<promote_t<type_in<X>...>>>;
    return named_call<corrcoef_body<RowVar>>("corrcoef", as_expr<type>(x)...);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X>
inline constexpr bool is_a_row_or_table = rank_in<X> == 1 || rank_in<X> == 2;
template <class X, int... Axes>
inline constexpr bool has_two_along = [] {
  if (!normal_axes<Axes...>(rank_in<X>).valid) return true;
  int const axes[] = {normal_axis(Axes, rank_in<X>)..., 0};
  for (int i = 0; i < static_cast<int>(sizeof...(Axes)); ++i)
    if (aval_in<X>.dims[axes[i]] < 2) return false;
  return true;
}();

}  // namespace detail

// The n-th differences of neighbours along the last axis, or axis<k> (jax.numpy.diff): diff<n>(x). Of bool: whether they differ.
template <int N = 1, array_like X, int Axis = -1>
constexpr auto diff(X const& x, axis_t<Axis> = {}) {
  static_assert(N >= 0, "exprax: diff: the order must be non-negative");
  static_assert(detail::has_axis_of_rows<X, Axis>, "exprax: diff: the axis is out of range for the array: diff requires input that is at least one dimensional");
  return detail::apply<detail::diff_op<N, Axis>>(x);
}
// Of the flattened array (jax.numpy.ediff1d).
template <array_like X>
constexpr auto ediff1d(X const& x) {
  return detail::apply<detail::ediff1d_op>(x);
}
// The slope along axis<...> (jax.numpy.gradient): an array for one axis, a tuple for several. spacing: the distance, or the places, of
// all axes or of each.
template <array_like X, int... Axes, array_like... H>
  requires(sizeof...(Axes) > 0)
constexpr auto gradient(X const& x, axis_t<Axes...>, H const&... spacing) {
  static_assert(detail::normal_axes<Axes...>(detail::rank_in<X>).valid, "exprax: gradient: an axis is repeated, or out of range for the array");
  static_assert(detail::has_two_along<X, Axes...>, "exprax: gradient: shape of array too small to calculate a numerical gradient, at least 2 elements are required");
  static_assert(sizeof...(H) <= 1 || sizeof...(H) == sizeof...(Axes), "exprax: gradient: give one spacing, or one for each axis");
  return detail::apply<detail::gradient_op<Axes...>>(x, spacing...);
}
// Along all axes.
template <array_like X, array_like... H>
constexpr auto gradient(X const& x, H const&... spacing) {
  return [&]<int... I>(std::integer_sequence<int, I...>) { return gradient(x, axis<I...>, spacing...); }(std::make_integer_sequence<int, detail::rank_in<X>>{});
}
// The integral of y, over straight lines between its points (jax.numpy.trapezoid); x: their places, or the distance of neighbours.
template <array_like Y, array_like X = float, int Axis = -1>
constexpr auto trapezoid(Y const& y, X const& x = 1, axis_t<Axis> = {}) {
  static_assert(detail::has_axis_of_rows<Y, Axis>, "exprax: trapezoid: the axis is out of range for the array");
  return detail::apply<detail::trapezoid_op<Axis>>(y, x);
}
template <array_like X, detail::running_tag... Tags>
constexpr auto nancumsum(X const& x, Tags...) {
  static_assert(detail::has_that_axis<X, Tags...>, "exprax: nancumsum: the axis is out of range for the array");
  return detail::apply<detail::nan_cumulative_op<prim::cumsum, detail::running_tags<Tags...>>>(x);
}
template <array_like X, detail::running_tag... Tags>
constexpr auto nancumprod(X const& x, Tags...) {
  static_assert(detail::has_that_axis<X, Tags...>, "exprax: nancumprod: the axis is out of range for the array");
  return detail::apply<detail::nan_cumulative_op<prim::cumprod, detail::running_tags<Tags...>>>(x);
}
// The covariances of variables, which are rows (jax.numpy.cov); of one: a scalar. ddof<n>: the divisor is the number of observations
// less n; 1 if not given.
template <array_like... X>
constexpr auto cov(X const&... x) {
  static_assert((detail::is_a_row_or_table<X> && ...), "exprax: cov: arrays must have 1 or 2 dimensions");
  return detail::apply<detail::cov_op<1, true>>(x...);
}
template <array_like X, int N>
constexpr auto cov(X const& x, ddof_t<N>) {
  static_assert(detail::is_a_row_or_table<X>, "exprax: cov: arrays must have 1 or 2 dimensions");
  return detail::apply<detail::cov_op<N, true>>(x);
}
// The same divided by the deviations, between -1 and 1 (jax.numpy.corrcoef).
template <array_like... X>
constexpr auto corrcoef(X const&... x) {
  static_assert((detail::is_a_row_or_table<X> && ...), "exprax: corrcoef: arrays must have 1 or 2 dimensions");
  return detail::apply<detail::corrcoef_op<true>>(x...);
}

}  // namespace exprax
