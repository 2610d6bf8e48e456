// SPDX-License-Identifier: BSL-1.0
// What indexed reads and updates take besides indices: the mode (what becomes of an index out of range), fill_value(v),
// indices_are_sorted, unique_indices, wrap_negative_indices<false>, and size<n> where the number of results depends on data.
#pragma once

#include <concepts>
#include <limits>
#include <tuple>

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/operand.hpp>
#include <exprax/numpy/core/tags.hpp>
#include <exprax/primitives/indexed/index_vectors.hpp>

namespace exprax {

namespace detail {

enum class mode_word { automatic, clip, fill, drop, wrap, promise_in_bounds };
template <mode_word>
struct mode_word_t {};

struct indices_are_sorted_t {};
struct unique_indices_t {};
template <bool>
struct wrap_negative_indices_t {};
template <int N>
struct size_t_ {
  static_assert(N >= 0, "exprax: size: a size must not be negative");
};

// One value, or one for each axis.
template <class... V>
struct fill_value_t {
  std::tuple<V...> values;
};
struct no_fill {};
template <mode_word M>
inline constexpr option_word word_of<mode_word_t<M>>{"mode_..."};
template <>
inline constexpr option_word word_of<indices_are_sorted_t>{"indices_are_sorted"};
template <>
inline constexpr option_word word_of<unique_indices_t>{"unique_indices"};
template <bool B>
inline constexpr option_word word_of<wrap_negative_indices_t<B>>{"wrap_negative_indices<b>"};
template <int N>
inline constexpr option_word word_of<size_t_<N>>{"size<n>"};
template <class... V>
inline constexpr option_word word_of<fill_value_t<V...>>{"fill_value(v)"};

}  // namespace detail

// jax.lax.GatherScatterMode and the words of jax.numpy: the index nearest to it; a read gives the fill value; an update is dropped;
// modulo the size; the caller knows that there is none (it is clamped nevertheless: nothing is undefined here).
inline constexpr detail::mode_word_t<detail::mode_word::clip> mode_clip{};
inline constexpr detail::mode_word_t<detail::mode_word::fill> mode_fill{};
inline constexpr detail::mode_word_t<detail::mode_word::drop> mode_drop{};
inline constexpr detail::mode_word_t<detail::mode_word::wrap> mode_wrap{};
inline constexpr detail::mode_word_t<detail::mode_word::promise_in_bounds> mode_promise_in_bounds{};

inline constexpr detail::indices_are_sorted_t indices_are_sorted{};
inline constexpr detail::unique_indices_t unique_indices{};
// With false a negative index is out of range.
template <bool Wrap>
inline constexpr detail::wrap_negative_indices_t<Wrap> wrap_negative_indices{};
// How many results there are room for.
template <int N>
inline constexpr detail::size_t_<N> size{};

// An option: the value that stands for what does not exist, fill_value(v), or one for each axis, fill_value(v, w). Refused: no value at
// all (fill_value= of jax.numpy.take, nonzero and others).
inline constexpr struct fill_value_function {
  template <class... V>
    requires(array_like<V> && ...)
  constexpr detail::fill_value_t<V...> operator()(V const&... values) const {
    static_assert(sizeof...(V) > 0, "exprax: fill_value: give a value");
    return {std::tuple<V...>(values...)};
  }
} fill_value{};

namespace detail {

// What an argument means, if it is an option.
template <class Option>
struct option_traits {
  static constexpr bool known = false;
};
struct known_option {
  static constexpr bool known = true, sorted = false, unique = false, fill = false;
  static constexpr mode_word mode = mode_word::automatic;
  static constexpr int unset = -1;
  static constexpr int size = unset, wrap = unset, axis_count = unset, axis = 0;
};
template <mode_word W>
struct option_traits<mode_word_t<W>> : known_option {
  static constexpr mode_word mode = W;
};
template <>
struct option_traits<indices_are_sorted_t> : known_option {
  static constexpr bool sorted = true;
};
template <>
struct option_traits<unique_indices_t> : known_option {
  static constexpr bool unique = true;
};
template <bool Wrap>
struct option_traits<wrap_negative_indices_t<Wrap>> : known_option {
  static constexpr int wrap = Wrap;
};
template <int N>
struct option_traits<size_t_<N>> : known_option {
  static constexpr int size = N;
};
template <class... V>
struct option_traits<fill_value_t<V...>> : known_option {
  static constexpr bool fill = true;
};
template <int... Axes>
struct option_traits<axis_t<Axes...>> : known_option {
  static constexpr int axis_count = static_cast<int>(sizeof...(Axes));
  static constexpr int axis = (0 + ... + Axes);
};

template <class X>
concept index_option = option_traits<std::remove_cvref_t<X>>::known;

// Of several options each.
template <class... Options>
struct index_options {
  template <class F>
  static constexpr int last(int otherwise, [[maybe_unused]] F f) {
    int r = otherwise;
    ((r = f(option_traits<Options>{}, r)), ...);
    return r;
  }
  static constexpr mode_word mode =
      static_cast<mode_word>(last(0, [](auto o, int r) { return o.mode == mode_word::automatic ? r : static_cast<int>(o.mode); }));
  static constexpr bool sorted = (option_traits<Options>::sorted || ...), unique = (option_traits<Options>::unique || ...);
  static constexpr bool fill = (option_traits<Options>::fill || ...);
  static constexpr bool wrap = last(1, [](auto o, int r) { return o.wrap == o.unset ? r : o.wrap; }) != 0;
  static constexpr int size = last(known_option::unset, [](auto o, int r) { return o.size == o.unset ? r : o.size; });
  static constexpr bool has_axis = last(known_option::unset, [](auto o, int r) { return o.axis_count == o.unset ? r : o.axis_count; }) == 1;
  static constexpr int axis = last(0, [](auto o, int r) { return o.axis_count == o.unset ? r : o.axis; });
};

// The mode of the primitive; `read`: of a gather.
constexpr index_mode primitive_mode(mode_word w, bool read) {
  if (w == mode_word::clip) return index_mode::clip;
  if (w == mode_word::fill || w == mode_word::drop || (w == mode_word::automatic && !read)) return index_mode::fill_or_drop;
  return index_mode::promise_in_bounds;
}

// The fill value among options: a tuple of values, or an empty one.
constexpr std::tuple<> fill_values() { return {}; }
template <class First, class... Rest>
constexpr auto fill_values(First const& first, Rest const&... rest) {
  if constexpr (option_traits<First>::fill) return first.values;
  else return fill_values(rest...);
}

// What a read out of range gives if nothing is said (jax.lax.gather): NaN, the least integer, the largest unsigned one, true.
template <class T>
constexpr T default_fill() {
  constexpr dtype d = dtype_of<T>;
  if constexpr (is_bool(d)) return true;
  else if constexpr (is_integer(d)) return is_signed_integer(d) ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  else return convert_number<T>(std::numeric_limits<float>::quiet_NaN());
}

}  // namespace detail

}  // namespace exprax
