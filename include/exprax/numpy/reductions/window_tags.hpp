// SPDX-License-Identifier: BSL-1.0
// What functions with windows take (conv_general_dilated, reduce_window): strides, dilations and padding, one entry for each
// axis that the window moves along, in any order after the operands.
#pragma once

#include <type_traits>
#include <utility>

#include <exprax/base/options.hpp>

namespace exprax {

template <int... N>
struct window_dimensions_t {};
template <int... N>
struct window_strides_t {};
template <int... N>
struct lhs_dilation_t {};
template <int... N>
struct rhs_dilation_t {};
template <int... N>
struct base_dilation_t {};
template <int... N>
struct window_dilation_t {};
template <int... N>
struct padding_t {};

// The size of the window.
template <int... N>
inline constexpr window_dimensions_t<N...> window_dimensions{};
// By how many places the window moves; 1 if not given.
template <int... N>
inline constexpr window_strides_t<N...> window_strides{};
// base_dilation, lhs_dilation: the operand's elements stand this far apart, with padding between them.
template <int... N>
inline constexpr lhs_dilation_t<N...> lhs_dilation{};
template <int... N>
inline constexpr base_dilation_t<N...> base_dilation{};
// window_dilation, rhs_dilation: the window's elements stand this far apart.
template <int... N>
inline constexpr rhs_dilation_t<N...> rhs_dilation{};
template <int... N>
inline constexpr window_dilation_t<N...> window_dilation{};
// padding<low, high, ...>: how much is put before and after each axis; negative: cut off. JAX's [(low, high), ...].
template <int... N>
inline constexpr padding_t<N...> padding{};

enum class padding_rule { valid, same, same_lower };
template <padding_rule Rule>
struct padding_rule_t {};
// "VALID": none; "SAME": so much that the result has size / stride elements, the larger half behind ("SAME_LOWER": in front).
inline constexpr padding_rule_t<padding_rule::valid> padding_valid{};
inline constexpr padding_rule_t<padding_rule::same> padding_same{};
inline constexpr padding_rule_t<padding_rule::same_lower> padding_same_lower{};

namespace detail {

template <int... N>
inline constexpr option_word word_of<window_dimensions_t<N...>>{"window_dimensions"};
template <int... N>
inline constexpr option_word word_of<window_strides_t<N...>>{"window_strides"};
template <int... N>
inline constexpr option_word word_of<lhs_dilation_t<N...>>{"lhs_dilation"};
template <int... N>
inline constexpr option_word word_of<rhs_dilation_t<N...>>{"rhs_dilation"};
template <int... N>
inline constexpr option_word word_of<base_dilation_t<N...>>{"base_dilation"};
template <int... N>
inline constexpr option_word word_of<window_dilation_t<N...>>{"window_dilation"};
template <int... N>
inline constexpr option_word word_of<padding_t<N...>>{"padding"};
template <>
inline constexpr option_word word_of<padding_rule_t<padding_rule::valid>>{"padding"};
template <>
inline constexpr option_word word_of<padding_rule_t<padding_rule::same>>{"padding"};
template <>
inline constexpr option_word word_of<padding_rule_t<padding_rule::same_lower>>{"padding"};

// The ints of the tag Tag<...> among Tags; without one: given is false.
template <template <int...> class Tag, class... Tags>
struct ints_of_tag {
  static constexpr bool given = false;
  static constexpr int count = 0;
  static constexpr int at(int, int otherwise) { return otherwise; }
};
template <template <int...> class Tag, int... N, class... Rest>
struct ints_of_tag<Tag, Tag<N...>, Rest...> {
  static constexpr bool given = true;
  static constexpr int count = sizeof...(N);
  static constexpr int of[sizeof...(N) + 1] = {N..., 0};
  static constexpr int at(int i, int) { return of[i]; }
};
template <template <int...> class Tag, class First, class... Rest>
struct ints_of_tag<Tag, First, Rest...> : ints_of_tag<Tag, Rest...> {};

template <class... Tags>
struct padding_rule_of {
  static constexpr padding_rule value = padding_rule::valid;
};
template <padding_rule Rule, class... Rest>
struct padding_rule_of<padding_rule_t<Rule>, Rest...> {
  static constexpr padding_rule value = Rule;
};
template <class First, class... Rest>
struct padding_rule_of<First, Rest...> : padding_rule_of<Rest...> {};

struct low_and_high {
  int low;
  int high;
};
// jax.lax.padtype_to_pads for one axis of n elements, the window already dilated.
constexpr low_and_high padding_by_rule(padding_rule rule, int n, int window, int stride) {
  if (rule == padding_rule::valid || n == 0) return {0, 0};
  int const out = (n + stride - 1) / stride, all = (out - 1) * stride + window - n, half = all > 0 ? all / 2 : 0,
            rest = all > 0 ? all - half : 0;
  if (rule == padding_rule::same) return {half, rest};
  return {rest, half};
}

constexpr int dilated_size(int n, int dilation) { return n > 0 ? (n - 1) * dilation + 1 : 0; }

}  // namespace detail
}  // namespace exprax
