// SPDX-License-Identifier: BSL-1.0
// Sizes that are given as arguments: ex::zeros(3), ex::reshape(x, 2, 3), ex::reshape(x, {2, 3}). They are part of types here, so each call
// is an error that says how it is written. (Static arguments are sizes: numpy/core/creation.hpp.)
#pragma once

#include <concepts>
#include <initializer_list>

#include <exprax/numpy/core/operand.hpp>
#include <exprax/numpy/core/tags.hpp>

namespace exprax {

namespace detail {

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
#define EXPRAX_PARTS_OF_TYPES_BEHIND(function, what, cure)                                                                                 \
  template <array_like X, std::integral... Size>                                                                                        \
    requires(sizeof...(Size) > 0)                                                                                                       \
  constexpr auto function(X const& x, Size...) {                                                                                        \
    static_assert(detail::are_template_arguments<Size...>, "exprax: " #function ": " what " part of types: write " cure);              \
    return x;                                                                                                                           \
  }                                                                                                                                     \
  template <array_like X>                                                                                                               \
  constexpr auto function(X const& x, std::initializer_list<int>) {                                                                     \
    static_assert(detail::are_template_arguments<X>, "exprax: " #function ": " what " part of types: write " cure);                    \
    return x;                                                                                                                           \
  }
EXPRAX_SIZES_ALONE(zeros, "ex::zeros<2, 3>()")
EXPRAX_SIZES_ALONE(ones, "ex::ones<2, 3>()")
EXPRAX_SIZES_ALONE(eye, "ex::eye<3>()")
EXPRAX_SIZES_ALONE(arange, "ex::arange<5>()")
EXPRAX_PARTS_OF_TYPES_BEHIND(reshape, "sizes are", "ex::reshape<2, 3>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(broadcast_to, "sizes are", "ex::broadcast_to<2, 3>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(split, "sizes are", "ex::split<3>(x), or ex::split(x, ex::split_at<1, 3>)")
EXPRAX_PARTS_OF_TYPES_BEHIND(top_k, "sizes are", "ex::top_k<3>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(array_split, "sizes are", "ex::array_split<3>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(tile, "counts are", "ex::tile<2>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(moveaxis, "axes are", "ex::moveaxis<0, 1>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(swapaxes, "axes are", "ex::swapaxes<0, 1>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(rollaxis, "axes are", "ex::rollaxis<1>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(rot90, "numbers of turns are", "ex::rot90<2>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(diag, "diagonals are", "ex::diag<1>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(diagonal, "diagonals are", "ex::diagonal<1>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(trace, "diagonals are", "ex::trace<1>(x)")
EXPRAX_PARTS_OF_TYPES_BEHIND(delete_, "places are", "ex::delete_<0>(x, ex::axis<0>)")
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
template <array_like A, array_like B, std::integral N>
constexpr auto tensordot(A const& a, B const&, N) {
  static_assert(detail::are_template_arguments<N>,
                "exprax: tensordot: the number of axes is part of the type: write ex::tensordot<1>(a, b)");
  return a;
}
template <array_like X, std::integral Place, array_like... Values>
constexpr auto insert(X const& x, Place, Values const&...) {
  static_assert(detail::are_template_arguments<Place>,
                "exprax: insert: places are part of types: write ex::insert<0>(x, value, ex::axis<0>)");
  return x;
}
#undef EXPRAX_SIZES_ALONE
#undef EXPRAX_PARTS_OF_TYPES_BEHIND

}  // namespace exprax
