// SPDX-License-Identifier: BSL-1.0
// What the functions of this folder take besides values: axis<0, -1>, keepdims, and the words of the indexing grammar:
// all (Python's :), slice<start, stop, step>, newaxis (None) and ellipsis (...).
#pragma once

#include <type_traits>

// Kernels call all(mask) without a namespace: they must be read before that name means the object below.
#include <exprax/api/control/scan.hpp>
#include <exprax/base/options.hpp>
#include <exprax/types/dtype_object.hpp>

namespace exprax {

template <int... Axes>
struct axis_t {};
// The axes of a reduction, or where an axis goes; negative ones count from the end.
template <int... Axes>
inline constexpr axis_t<Axes...> axis{};

struct keepdims_t {};
// A reduction keeps its axes, with size 1.
inline constexpr keepdims_t keepdims{};

namespace detail {

template <int... Axes>
inline constexpr option_word word_of<axis_t<Axes...>>{"axis<...>", "axis", sizeof...(Axes) == 1 ? "axis<k>" : "axis<...>"};
template <>
inline constexpr option_word word_of<keepdims_t>{"keepdims"};
template <>
inline constexpr option_word word_of<none_t>{"none", "axis"};

struct no_bound {};
template <class>
inline constexpr bool is_axis = false;
template <int... Axes>
inline constexpr bool is_axis<axis_t<Axes...>> = true;

// What goes along one axis takes axis<k> and reverse.
template <class... Tags>
struct running_tags;
template <>
struct running_tags<> {
  static constexpr bool reverse = false, has_axis = false;
  static constexpr int axis = 0;
};
template <class... Rest>
struct running_tags<reverse_t, Rest...> : running_tags<Rest...> {
  static constexpr bool reverse = true;
};
template <int Axis, class... Rest>
struct running_tags<axis_t<Axis>, Rest...> : running_tags<Rest...> {
  static constexpr bool has_axis = true;
  static constexpr int axis = Axis;
};

}  // namespace detail

// Python's slice(stop), slice(start, stop), slice(start, stop, step). A bound that is not an integer, ex::none, is absent; so
// slice<none, none, -1> is [::-1].
template <auto Start, auto Stop, int Step = 1>
struct slice_t {
  static_assert(Step != 0, "exprax: slice step cannot be zero");
};
namespace detail {

template <auto... Bounds>
struct slice_of : std::type_identity<slice_t<Bounds...>> {};
template <auto Stop>
struct slice_of<Stop> : std::type_identity<slice_t<none, Stop>> {};

}  // namespace detail

template <auto... Bounds>
inline constexpr typename detail::slice_of<Bounds...>::type slice{};

struct newaxis_t {};
inline constexpr newaxis_t newaxis{};
struct ellipsis_t {};
inline constexpr ellipsis_t ellipsis{};

// An index, x(all, 0), and a reduction as well: all(x) is jax.numpy.all.
struct all_t {
  template <class X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const;
};
inline constexpr all_t all{};

}  // namespace exprax
