// SPDX-License-Identifier: BSL-1.0
// Slopes and integrals of samples along axes (jax.numpy): gradient, trapezoid.
#pragma once

#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/products/dot.hpp>
#include <exprax/numpy/products/matmul.hpp>
#include <exprax/numpy/reductions/differences.hpp>
#include <exprax/numpy/reductions/reductions.hpp>

namespace exprax {

namespace detail {

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
  static_assert(aval_in<V>.size() == X::extent(Axis),
                "exprax: spacing arrays must have the same length as the dimension along which they are");
  return detail::bind<expr_from<shape>>(prim::reshape, shape::params, v);
}
// Along one axis: one-sided at the ends, the mean of both sides between them; h: a number, or the places.
template <int Axis, class X, class H>
constexpr auto gradient_along(X const& x, H const& h) {
  constexpr int n = X::extent(Axis);
  using T = strong_t<typename X::dtype_type>;
  auto const first = part_along<Axis, 1, 2>(x) - part_along<Axis, 0, 1>(x),
             last = part_along<Axis, n - 1, n>(x) - part_along<Axis, n - 2, n - 1>(x);
  if constexpr (rank_in<H> == 0) {
    auto const inner = (part_along<Axis, 2, n>(x) - part_along<Axis, 0, n - 2>(x)) * T(0.5f) / h;
    return joined<Axis>(first / h, inner, last / h);
  } else {
    auto const place = place_along<Axis, X>(h);
    auto const before = part_along<Axis, 1, n - 1>(place) - part_along<Axis, 0, n - 2>(place),
               after = part_along<Axis, 2, n>(place) - part_along<Axis, 1, n - 1>(place);
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

// gradient(x, axis<...>, spacing...): the slope, in the shape of x (jax.numpy.gradient): an array for one axis, a tuple for several.
// spacing: the distance, or the places, of all axes or of each. Integers become float32. Refused: axes that are repeated, out of range or
// shorter than 2, another number of spacings.
inline constexpr struct gradient_function {
  template <array_like X, int... Axes, array_like... H>
    requires(sizeof...(Axes) > 0)
  constexpr auto operator()(X const& x, axis_t<Axes...>, H const&... spacing) const {
      static_assert(detail::normal_axes<Axes...>(detail::rank_in<X>).valid,
                    "exprax: gradient: an axis is repeated, or out of range for the array");
      static_assert(detail::has_two_along<X, Axes...>,
                    "exprax: gradient: shape of array too small to calculate a numerical gradient, at least 2 elements are required");
      static_assert(sizeof...(H) <= 1 || sizeof...(H) == sizeof...(Axes), "exprax: gradient: give one spacing, or one for each axis");
      return detail::apply<detail::gradient_op<Axes...>>(x, spacing...);
  }
  // gradient(x, spacing...): along all axes.
  template <array_like X, array_like... H>
  constexpr auto operator()(X const& x, H const&... spacing) const {
    return [&]<int... I>(std::integer_sequence<int, I...>) { return (*this)(x, axis<I...>, spacing...); }
    (std::make_integer_sequence<int, detail::rank_in<X>>{});
  }
} gradient{};
// trapezoid(y, x, axis<k>): the integral of y, over straight lines between its points (jax.numpy.trapezoid), [..., n] -> [...], along the
// last axis or k. x: their places, or the distance of neighbours, 1 by default. Integers become float32. An axis out of range is refused.
inline constexpr struct trapezoid_function {
  template <array_like Y, array_like X = float, int Axis = -1>
  constexpr auto operator()(Y const& y, X const& x = 1, axis_t<Axis> = {}) const {
    static_assert(detail::has_axis_of_rows<Y, Axis>, "exprax: trapezoid: the axis is out of range for the array");
    return detail::apply<detail::trapezoid_op<Axis>>(y, x);
  }
} trapezoid{};

}  // namespace exprax
