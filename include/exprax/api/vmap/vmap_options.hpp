// SPDX-License-Identifier: BSL-1.0
// The options of vmap, in any order. in_axes and out_axes: ints (negative ones count from the end), none, and axes<...> for the children of
// a node, in their order; an entry applies to all leaves below it, as a pytree prefix in JAX. axis_name, axis_size, sum_match.
#pragma once

#include <exprax/base/fixed_string.hpp>
#include <exprax/base/options.hpp>
#include <exprax/primitives/collectives/axis_names.hpp>
#include <exprax/types/static_int.hpp>

namespace exprax {

template <auto... A>
struct axes_t {
  constexpr bool operator==(axes_t const&) const = default;
};
template <auto... A>
inline constexpr axes_t<A...> axes{};

template <auto... A>
struct in_axes_t {};
// The axis of each argument that is mapped over; one entry serves all arguments.
template <auto... A>
inline constexpr in_axes_t<A...> in_axes{};

template <auto... A>
struct out_axes_t {};
// The position of the mapped axis in each result; one entry serves all.
template <auto... A>
inline constexpr out_axes_t<A...> out_axes{};

template <detail::fixed_string... Names>
struct axis_name_t {};
// The name of the mapped axis, ex::vmap(f, ex::axis_name<"i">), by which collectives inside f refer to it, ex::psum(x, ex::axis_name<"i">);
// these take several names where JAX does.
template <detail::fixed_string... Names>
inline constexpr axis_name_t<Names...> axis_name{};

struct sum_match_t {};
// A batched result whose entry in out_axes is none is summed over the mapped axis.
inline constexpr sum_match_t sum_match{};

template <int N>
struct axis_size_t {};

namespace detail {

template <auto... A>
inline constexpr option_word word_of<in_axes_t<A...>>{"in_axes<...>"};
template <auto... A>
inline constexpr option_word word_of<out_axes_t<A...>>{"out_axes<...>"};
template <fixed_string... N>
inline constexpr option_word word_of<axis_name_t<N...>>{"axis_name<...>"};
template <>
inline constexpr option_word word_of<sum_match_t>{"sum_match"};
template <int N>
inline constexpr option_word word_of<axis_size_t<N>>{"axis_size<n>"};

template <std::size_t N>
struct size_or_name {
  fixed_string<N> name;
  constexpr size_or_name(char const (&s)[N]) : name(s) {}
};
template <>
struct size_or_name<0> {
  int size;
  constexpr size_or_name(int n) : size(n) {}
};
size_or_name(int) -> size_or_name<0>;

// axis_size<"i">(): numpy/collectives/psum.hpp.
template <size_or_name... K>
struct named_axis_size {
  constexpr auto operator()() const;
};
template <size_or_name... K>
struct axis_size_of {
  using type = named_axis_size<K...>;
};
template <size_or_name<0> K>
struct axis_size_of<K> {
  using type = axis_size_t<K.size>;
};

}  // namespace detail

// axis_size<4>: the size of the mapped axis, if no argument gives it. axis_size<"i">(): inside a mapped function, the size of the axis with
// that name (jax.lax.axis_size).
template <detail::size_or_name... K>
inline constexpr typename detail::axis_size_of<K...>::type axis_size{};

namespace detail {

// The options of vmap, in any order: each one overrides what it sets.
struct axis_0_of_all {};
struct vmap_defaults {
  using in = axis_0_of_all;
  using out = out_axes_t<0>;
  using name = axis_name_t<>;
  static constexpr int size = -1;
  static constexpr bool sums = false;
};
template <class Before, class Option>
struct vmap_option {
  static_assert(Option::is_no_option_of_vmap, "exprax: vmap: axis_name<\"i\"> takes one name");
};
template <class Before, auto... A>
struct vmap_option<Before, in_axes_t<A...>> : Before {
  using in = in_axes_t<A...>;
};
template <class Before, auto... A>
struct vmap_option<Before, out_axes_t<A...>> : Before {
  using out = out_axes_t<A...>;
};
template <class Before, int N>
struct vmap_option<Before, axis_size_t<N>> : Before {
  static_assert(N >= 0, "exprax: vmap: axis_size is negative");
  static constexpr int size = N;
};
template <class Before, fixed_string Name>
struct vmap_option<Before, axis_name_t<Name>> : Before {
  static_assert(Name.view().size() > 0 && Name.view().size() <= max_axis_name, "exprax: vmap: an axis name has 1 to 24 characters");
  using name = axis_name_t<Name>;
};
template <class Before>
struct vmap_option<Before, sum_match_t> : Before {
  static constexpr bool sums = true;
};
template <class Now, class... Options>
struct read_options {
  using type = Now;
};
template <class Now, class Option, class... Rest>
struct read_options<Now, Option, Rest...> : read_options<vmap_option<Now, Option>, Rest...> {};
template <class... Options>
using vmap_options = typename read_options<vmap_defaults, Options...>::type;

}  // namespace detail

}  // namespace exprax
