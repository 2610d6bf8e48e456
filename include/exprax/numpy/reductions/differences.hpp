// SPDX-License-Identifier: BSL-1.0
// Differences and sums along axes (jax.numpy): diff, ediff1d, gradient, trapezoid; nancumsum, nancumprod.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/products/dot.hpp>
#include <exprax/numpy/products/matmul.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/sorting/sorting.hpp>
#include <exprax/numpy/statistics/statistics.hpp>

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
// What stands before and behind the elements: a scalar is one more of them everywhere. Inputs: the array, then these.
template <int Axis, class X, class V>
constexpr auto as_end(X const&, V const& v) {
  if constexpr (rank_in<V> == 0) return broadcast_shape<shape_in<expr_from<resized_shape<X, Axis, 1>>>>(as_expr<promote_t<type_in<V>, type_in<X>>>(v));
  else return as_expr<type_in<V>>(v);
}
template <int N, int Axis, bool Before, bool Behind>
struct diff_with_ends_body {
  template <tracer X, tracer... V>
  constexpr auto operator()(X const& x, V const&... ends) const {
    constexpr int axis = normal_axis(Axis, X::rank);
    return diff_body<N, Axis>{}(whole<axis>(x, as_end<axis>(x, ends)...));
  }

 private:
  template <int K, class X, class A>
  static constexpr auto whole(X const& x, A const& end) {
    if constexpr (Before) return joined<K>(end, x);
    else return joined<K>(x, end);
  }
  template <int K, class X, class A, class B>
  static constexpr auto whole(X const& x, A const& before, B const& behind) {
    return joined<K>(before, x, behind);
  }
};
template <int N, int Axis, bool Before, bool Behind>
struct diff_with_ends_op {
  template <operand X, operand... V>
  constexpr auto operator()(X const& x, V const&... ends) const {
    return named_call<diff_with_ends_body<N, Axis, Before, Behind>>("diff", x, ends...);
  }
};
// Differences of the flattened array; ends of its dtype.
template <bool Before, bool Behind>
struct ediff1d_body {
  template <tracer X, tracer... V>
  constexpr auto operator()(X const& x, V const&... ends) const {
    auto const flat = reshaped<-1>(x);
    return whole(all_but_first<0>(flat) - all_but_last<0>(flat), reshaped<-1>(as_expr<strong_t<type_in<X>>>(ends))...);
  }

 private:
  template <class X>
  static constexpr auto whole(X const& x) {
    return x;
  }
  template <class X, class A>
  static constexpr auto whole(X const& x, A const& end) {
    if constexpr (Before) return joined<0>(end, x);
    else return joined<0>(x, end);
  }
  template <class X, class A, class B>
  static constexpr auto whole(X const& x, A const& before, B const& behind) {
    return joined<0>(before, x, behind);
  }
};
template <bool Before, bool Behind>
struct ediff1d_op {
  template <operand X, operand... V>
  constexpr auto operator()(X const& x, V const&... ends) const {
    return named_call<ediff1d_body<Before, Behind>>("ediff1d", x, ends...);
  }
};

template <class V>
struct before_option {
  V value;
};
template <class V>
struct behind_option {
  V value;
};
template <class V>
inline constexpr option_word word_of<before_option<V>>{"prepend(v)", "before", "to_begin(v)"};
template <class V>
inline constexpr option_word word_of<behind_option<V>>{"append_(v)", "behind", "to_end(v)"};
template <int Otherwise, class... O>
inline constexpr int axis_among = Otherwise;
template <int Otherwise, class First, class... Rest>
inline constexpr int axis_among<Otherwise, First, Rest...> = axis_among<Otherwise, Rest...>;
template <int Otherwise, int Axis, class... Rest>
inline constexpr int axis_among<Otherwise, axis_t<Axis>, Rest...> = Axis;
template <class O>
concept end_option = is_of_kind<O, before_option> || is_of_kind<O, behind_option>;
// Op on the array and what stands before and behind it, in this order.
template <template <bool, bool> class Op, class X, class... O>
constexpr auto apply_with_ends(X const& x, O const&... options) {
  return std::apply(
      [&](auto const&... before) {
        return std::apply([&](auto const&... behind) { return apply<Op<sizeof...(before) != 0, sizeof...(behind) != 0>>(x, before.value..., behind.value...); },
                          find_tag<behind_option>(options...));
      },
      find_tag<before_option>(options...));
}
template <int N, int Axis>
struct diff_along {
  template <bool Before, bool Behind>
  using op = diff_with_ends_op<N, Axis, Before, Behind>;
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
template <prim P, class Tags, class Asked>
struct nan_cumulative_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using T = strong_t<type_in<X>>;
    if constexpr (is_inexact(dtype_of<T>))
      return named_cumulative_op<P, Tags, Asked>{}(where(isnan(x), literal<T>(convert_number<T>(P == prim::cumsum ? 0 : 1)), as_expr<T>(x)));
    else
      return named_cumulative_op<P, Tags, Asked>{}(x);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, int... Axes>
inline constexpr bool has_two_along = [] {
  if (!normal_axes<Axes...>(rank_in<X>).valid) return true;
  int const axes[] = {normal_axis(Axes, rank_in<X>)..., 0};
  for (int i = 0; i < static_cast<int>(sizeof...(Axes)); ++i)
    if (aval_in<X>.dims[axes[i]] < 2) return false;
  return true;
}();

}  // namespace detail

// prepend(v), append_(v): of diff, elements before and behind the array. to_begin(v), to_end(v): of ediff1d, elements before and behind the
// differences.
template <array_like V>
constexpr detail::before_option<V> prepend(V const& v) {
  return {v};
}
template <array_like V>
constexpr detail::behind_option<V> append_(V const& v) {
  return {v};
}
template <array_like V>
constexpr detail::before_option<V> to_begin(V const& v) {
  return {v};
}
template <array_like V>
constexpr detail::behind_option<V> to_end(V const& v) {
  return {v};
}

// diff<N>(x): the N-th differences of neighbours along the last axis, or axis<k>, [..., n] -> [..., n - N] (jax.numpy.diff). The dtype of
// x; of bool whether they differ. prepend(v), append_(v): elements more before and behind, a scalar being one. Refused: a negative N, an
// axis out of range.
template <int N = 1, array_like X, class... O>
constexpr auto diff(X const& x, O const&... options) {
  EXPRAX_TAKES("diff", "axis<k>, prepend(v), append_(v)", O...) {
    constexpr int axis = detail::axis_among<-1, O...>;
    static_assert(N >= 0, "exprax: diff: the order must be non-negative");
    static_assert(detail::has_axis_of_rows<X, axis>, "exprax: diff: the axis is out of range for the array: diff requires input that is at least one dimensional");
    if constexpr (N == 0 || !(detail::end_option<O> || ...)) return detail::apply<detail::diff_op<N, axis>>(x);
    else return detail::apply_with_ends<detail::diff_along<N, axis>::template op>(x, options...);
  } else {
    return x;
  }
}
// The differences of neighbours of the flattened array (jax.numpy.ediff1d), in the dtype of x; with to_begin(v) and to_end(v) before and
// behind them.
template <array_like X, class... O>
constexpr auto ediff1d(X const& x, O const&... ends) {
  EXPRAX_TAKES("ediff1d", "to_begin(v), to_end(v)", O...) return detail::apply_with_ends<detail::ediff1d_op>(x, ends...);
  else return x;
}
// gradient(x, axis<...>, spacing...): the slope, in the shape of x (jax.numpy.gradient): an array for one axis, a tuple for several.
// spacing: the distance, or the places, of all axes or of each. Integers become float32. Refused: axes that are repeated, out of range or
// shorter than 2, another number of spacings.
template <array_like X, int... Axes, array_like... H>
  requires(sizeof...(Axes) > 0)
constexpr auto gradient(X const& x, axis_t<Axes...>, H const&... spacing) {
  static_assert(detail::normal_axes<Axes...>(detail::rank_in<X>).valid, "exprax: gradient: an axis is repeated, or out of range for the array");
  static_assert(detail::has_two_along<X, Axes...>, "exprax: gradient: shape of array too small to calculate a numerical gradient, at least 2 elements are required");
  static_assert(sizeof...(H) <= 1 || sizeof...(H) == sizeof...(Axes), "exprax: gradient: give one spacing, or one for each axis");
  return detail::apply<detail::gradient_op<Axes...>>(x, spacing...);
}
// gradient(x, spacing...): along all axes.
template <array_like X, array_like... H>
constexpr auto gradient(X const& x, H const&... spacing) {
  return [&]<int... I>(std::integer_sequence<int, I...>) { return gradient(x, axis<I...>, spacing...); }(std::make_integer_sequence<int, detail::rank_in<X>>{});
}
// trapezoid(y, x, axis<k>): the integral of y, over straight lines between its points (jax.numpy.trapezoid), [..., n] -> [...], along the
// last axis or k. x: their places, or the distance of neighbours, 1 by default. Integers become float32. An axis out of range is refused.
template <array_like Y, array_like X = float, int Axis = -1>
constexpr auto trapezoid(Y const& y, X const& x = 1, axis_t<Axis> = {}) {
  static_assert(detail::has_axis_of_rows<Y, Axis>, "exprax: trapezoid: the axis is out of range for the array");
  return detail::apply<detail::trapezoid_op<Axis>>(y, x);
}
// nancumsum(x), nancumprod(x): cumsum and cumprod in which NaN counts as 0, or as 1 (jax.numpy.nancumsum, jax.numpy.nancumprod). Shapes,
// dtypes, tags and errors are theirs.
template <class T = void, array_like X, class... Tags>
constexpr auto nancumsum(X const& x, Tags...) {
  EXPRAX_TAKES("nancumsum", "axis<k>, reverse", Tags...) {
    static_assert(detail::has_that_axis<X, Tags...>, "exprax: nancumsum: the axis is out of range for the array");
    return detail::apply<detail::nan_cumulative_op<prim::cumsum, detail::running_tags<Tags...>, detail::asked_or_void<T>>>(x);
  } else {
    return x;
  }
}
template <class T = void, array_like X, class... Tags>
constexpr auto nancumprod(X const& x, Tags...) {
  EXPRAX_TAKES("nancumprod", "axis<k>, reverse", Tags...) {
    static_assert(detail::has_that_axis<X, Tags...>, "exprax: nancumprod: the axis is out of range for the array");
    return detail::apply<detail::nan_cumulative_op<prim::cumprod, detail::running_tags<Tags...>, detail::asked_or_void<T>>>(x);
  } else {
    return x;
  }
}

}  // namespace exprax
