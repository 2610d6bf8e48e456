// SPDX-License-Identifier: BSL-1.0
// Sizes that are given as arguments: ex::zeros(3), ex::reshape(x, 2, 3), ex::reshape(x, {2, 3}). They are part of types here, so each call
// is an error that says how it is written.
#pragma once

#include <concepts>
#include <initializer_list>

#include <exprax/numpy/core/operand.hpp>
#include <exprax/numpy/core/tags.hpp>

namespace exprax {

namespace detail {

template <class... Size>
inline constexpr bool are_template_arguments = sizeof...(Size) == 0;

// The argument of concatenate({x, y}).
struct arrays_in_braces {
  template <class... X>
    requires(sizeof...(X) > 1)
  constexpr arrays_in_braces(X const&...) {
    static_assert(are_template_arguments<X...>, "exprax: arrays in braces are no list: write ex::concatenate(ex::tuple(x, y))");
  }
};

}  // namespace detail

#define EXPRAX_SIZES_ALONE(function, cure)                                                                                              \
  template <std::integral Size, class... More>                                                                                          \
  constexpr auto function(Size, More const&...) {                                                                                       \
    static_assert(detail::are_template_arguments<Size>, "exprax: " #function ": sizes are part of types: write " cure);                 \
    return 0.0f;                                                                                                                        \
  }                                                                                                                                     \
  template <class... More>                                                                                                              \
  constexpr auto function(std::initializer_list<int>, More const&...) {                                                                 \
    static_assert(detail::are_template_arguments<int, More...>, "exprax: " #function ": sizes are part of types: write " cure);         \
    return 0.0f;                                                                                                                        \
  }
#define EXPRAX_SIZES_BEHIND(function, cure)                                                                                             \
  template <array_like X, std::integral... Size>                                                                                        \
    requires(sizeof...(Size) > 0)                                                                                                       \
  constexpr auto function(X const& x, Size...) {                                                                                        \
    static_assert(detail::are_template_arguments<Size...>, "exprax: " #function ": sizes are part of types: write " cure);              \
    return x;                                                                                                                           \
  }                                                                                                                                     \
  template <array_like X>                                                                                                               \
  constexpr auto function(X const& x, std::initializer_list<int>) {                                                                     \
    static_assert(detail::are_template_arguments<X>, "exprax: " #function ": sizes are part of types: write " cure);                    \
    return x;                                                                                                                           \
  }
EXPRAX_SIZES_ALONE(zeros, "ex::zeros<2, 3>()")
EXPRAX_SIZES_ALONE(ones, "ex::ones<2, 3>()")
EXPRAX_SIZES_ALONE(eye, "ex::eye<3>()")
EXPRAX_SIZES_ALONE(arange, "ex::arange<5>()")
EXPRAX_SIZES_BEHIND(reshape, "ex::reshape<2, 3>(x)")
EXPRAX_SIZES_BEHIND(broadcast_to, "ex::broadcast_to<2, 3>(x)")
EXPRAX_SIZES_BEHIND(split, "ex::split<3>(x), or ex::split(x, ex::split_at<1, 3>)")
EXPRAX_SIZES_BEHIND(top_k, "ex::top_k<3>(x)")
template <std::integral Size, array_like V>
constexpr auto full(Size, V const& value) {
  static_assert(detail::are_template_arguments<Size>, "exprax: full: sizes are part of types: write ex::full<2, 3>(value)");
  return value;
}
template <array_like V>
constexpr auto full(std::initializer_list<int>, V const& value) {
  static_assert(detail::are_template_arguments<V>, "exprax: full: sizes are part of types: write ex::full<2, 3>(value)");
  return value;
}
template <array_like A, array_like B, std::integral Size>
constexpr auto linspace(A const& start, B const&, Size) {
  static_assert(detail::are_template_arguments<Size>, "exprax: linspace: the number is part of the type: write ex::linspace<5>(0, 1)");
  return start;
}
template <array_like X, class Shift, std::integral Axis>
constexpr auto roll(X const& x, Shift const&, Axis) {
  static_assert(detail::are_template_arguments<Axis>, "exprax: roll: an axis is part of a type: write ex::roll(x, shift, ex::axis<0>)");
  return x;
}
template <array_like X, int... Axes>
constexpr auto roll(X const& x, std::initializer_list<int>, axis_t<Axes...>) {
  static_assert(detail::are_template_arguments<X>,
                "exprax: roll: write the shifts of several axes as ex::roll<1, -1>(x, ex::axis<0, 1>), or ex::roll(x, ex::tuple(i, j), "
                "ex::axis<0, 1>)");
  return x;
}
template <array_like X, std::integral K>
constexpr auto tril(X const& x, K) {
  static_assert(detail::are_template_arguments<K>, "exprax: tril: the diagonal is part of the type: write ex::tril<-1>(x)");
  return x;
}
template <array_like X, std::integral K>
constexpr auto triu(X const& x, K) {
  static_assert(detail::are_template_arguments<K>, "exprax: triu: the diagonal is part of the type: write ex::triu<1>(x)");
  return x;
}
#undef EXPRAX_SIZES_ALONE
#undef EXPRAX_SIZES_BEHIND

}  // namespace exprax
