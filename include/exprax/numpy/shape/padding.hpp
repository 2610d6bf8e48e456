// SPDX-License-Identifier: BSL-1.0
// pad with what stands in the array (jax.numpy.pad): pad<widths...>(x, pad_mode<...>), modes edge, reflect, symmetric, wrap,
// linear_ramp, maximum, minimum, mean, median, empty (zeros). Widths as for pad with a constant (joining.hpp). Axes are padded one after
// the other. reflect_odd: what is mirrored goes on beyond the edge; stat_length<n>: of how many elements a statistic is;
// end_values(v): where a ramp begins; and constant_values(before, after) in place of a mode.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/shape/pad_modes.hpp>

namespace exprax {

template <pad_with Mode>
struct pad_mode_t {};
template <pad_with Mode>
inline constexpr pad_mode_t<Mode> pad_mode{};

struct reflect_odd_t {};
// Of the modes reflect and symmetric (reflect_type="odd"): twice the edge less what is mirrored.
inline constexpr reflect_odd_t reflect_odd{};
template <int... Lengths>
struct stat_length_t {};
// Of the statistics: how many elements at each end count; one length, (before, after), or two for each axis.
template <int... Lengths>
inline constexpr stat_length_t<Lengths...> stat_length{};

namespace detail {

template <>
inline constexpr option_word word_of<reflect_odd_t>{"reflect_odd"};
template <int... N>
inline constexpr option_word word_of<stat_length_t<N...>>{"stat_length<...>"};

// One number, (before, after), or two for each axis: where they stand among those that are given.
constexpr int pair_place(int given, int axis, bool after) { return given <= 2 ? (after ? given - 1 : 0) : 2 * axis + after; }
constexpr bool are_pairs(int given, int rank) { return given == 1 || given == 2 || given == 2 * rank; }

template <class... V>
struct end_values_option {
  std::tuple<V...> values;
};
template <class... V>
inline constexpr option_word word_of<end_values_option<V...>>{"end_values(...)"};
template <class... V>
struct constant_values_option {
  std::tuple<V...> values;
};
template <class O>
inline constexpr bool is_end_values = false;
template <class... V>
inline constexpr bool is_end_values<end_values_option<V...>> = true;
template <class O>
struct lengths_of {
  static constexpr int count = 0;
  static constexpr int at(int) { return 0; }
};
template <int... Lengths>
struct lengths_of<stat_length_t<Lengths...>> {
  static constexpr int count = static_cast<int>(sizeof...(Lengths));
  static constexpr bool positive = ((Lengths > 0) && ...);
  static constexpr int at(int i) {
    int const given[] = {Lengths..., 0};
    return given[i];
  }
};
template <pad_with Mode, bool Odd, class Lengths, int... Widths>
struct pad_mode_body {
  template <tracer X, tracer... V>
  constexpr auto operator()(X const& x, V const&... end_values) const {
    using to = padded_shape<X, Widths...>;
    constexpr int given = static_cast<int>(sizeof...(V));
    handle const values[] = {untyped::from(x), untyped::from(end_values)...};
    handle r = untyped::from(x);
    for (int i = 0; i < X::rank; ++i) {
      int const before = Lengths::count ? Lengths::at(pair_place(Lengths::count, i, false)) : 0;
      int const after = Lengths::count ? Lengths::at(pair_place(Lengths::count, i, true)) : 0;
      handle const ends[] = {values[given ? 1 + pair_place(given, i, false) : 0], values[given ? 1 + pair_place(given, i, true) : 0]};
      r = padded_along<typename X::dtype_type, Mode, Odd>(r, i, to::low(i), to::high(i), before, after, given ? ends : nullptr);
    }
    return untyped::typed<to>(r);
  }
};
template <pad_with Mode, bool Odd, class Lengths, int... Widths>
struct pad_mode_op {
  template <operand X, operand... V>
  constexpr auto operator()(X const& x, V const&... end_values) const {
    return named_call<pad_mode_body<Mode, Odd, Lengths, Widths...>>("_pad", x, end_values...);
  }
};
// Constants, other ones at each end.
template <int... Widths>
struct pad_constants_body {
  template <tracer X, tracer... V>
  constexpr auto operator()(X const& x, V const&... given) const {
    using to = padded_shape<X, Widths...>;
    using T = typename X::dtype_type;
    handle const values[] = {untyped::convert(untyped::from(given), dtype_of<T>, is_weak<T>)...};
    handle r = untyped::from(x);
    for (int i = 0; i < X::rank; ++i) {
      arena<handle> parts;
      parts.push(constant_block(values[pair_place(sizeof...(V), i, false)], r, i, to::low(i)));
      parts.push(r);
      parts.push(constant_block(values[pair_place(sizeof...(V), i, true)], r, i, to::high(i)));
      if (to::low(i) + to::high(i) > 0) r = untyped::concatenate(parts, i);
    }
    return untyped::typed<to>(r);
  }
};
template <int... Widths>
struct pad_constants_op {
  template <operand X, operand... V>
  constexpr auto operator()(X const& x, V const&... values) const {
    return named_call<pad_constants_body<Widths...>>("_pad", x, values...);
  }
};
template <class... O>
struct lengths_among : lengths_of<void> {};
template <class First, class... Rest>
struct lengths_among<First, Rest...> : std::conditional_t<lengths_of<First>::count != 0, lengths_of<First>, lengths_among<Rest...>> {};
template <class O>
constexpr auto end_values_in(O const& o) {
  if constexpr (is_end_values<O>) return o.values;
  else return std::tuple<>();
}
// Whether the mode has such an option.
template <pad_with Mode, class O>
inline constexpr bool takes_option = is_end_values<O> ? Mode == pad_with::linear_ramp
                                     : std::is_same_v<O, reflect_odd_t> ? Mode == pad_with::reflect || Mode == pad_with::symmetric
                                                                        : Mode >= pad_with::maximum && Mode <= pad_with::median;
template <class V>
inline constexpr int count_in = 0;
template <class... V>
inline constexpr int count_in<std::tuple<V...>> = static_cast<int>(sizeof...(V));

// Conditions of static_asserts: compilers print the types.
template <class X, int... Widths>
inline constexpr bool pads = padded_shape<X, Widths...>::fits;
template <class X, int... Widths>
inline constexpr bool has_what_pads = [] {
  for (int i = 0; i < rank_in<X>; ++i)
    if (aval_in<X>.dims[i] == 0 && padded_shape<X, Widths...>::low(i) + padded_shape<X, Widths...>::high(i) > 0) return false;
  return true;
}();

}  // namespace detail

// Of pad: end_values(v...), where a linear ramp begins, and constant_values(v...), what stands around the array: one value, (before,
// after), or two for each axis.
inline constexpr struct end_values_function {
  template <array_like... V>
  constexpr detail::end_values_option<V...> operator()(V const&... values) const {
    return {std::tuple<V...>(values...)};
  }
} end_values{};
inline constexpr struct constant_values_function {
  template <array_like... V>
  constexpr detail::constant_values_option<V...> operator()(V const&... values) const {
    return {std::tuple<V...>(values...)};
  }
} constant_values{};

// pad<widths...>(x, pad_mode<m>, options...): x with elements around it that follow from its own (jax.numpy.pad). Each axis grows by its
// two widths; the dtype of x. Refused: negative widths, a number of widths that does not fit the axes, an axis of size 0 unless the mode is
// empty, options that the mode does not take.
template <int... Widths, array_like X, pad_with Mode, class... O>
constexpr auto pad(X const& x, pad_mode_t<Mode>, O const&... options) {
  EXPRAX_TAKES("pad", "reflect_odd, stat_length<...>, end_values(...)", O...) {
    using lengths = detail::lengths_among<O...>;
    auto const ends = std::tuple_cat(detail::end_values_in(options)...);
    constexpr int given = detail::count_in<std::remove_const_t<decltype(ends)>>, rank = detail::rank_in<X>;
    constexpr bool fits =
        (given == 0 || detail::are_pairs(given, rank)) && (lengths::count == 0 || detail::are_pairs(lengths::count, rank));
    constexpr bool takes = (detail::takes_option<Mode, O> && ...);
    static_assert(detail::pads<X, Widths...>, "exprax: pad: give one width, ex::pad<1>(x), (before, after), or two widths for each axis");
    static_assert(((Widths >= 0) && ...), "exprax: pad: index can't contain negative values");
    static_assert(Mode == pad_with::empty || detail::has_what_pads<X, Widths...>,
                  "exprax: pad: can't extend an empty axis with what stands in the array: pad it with a constant");
    static_assert(takes,
                  "exprax: pad: unsupported arguments for this mode: reflect_odd is for reflect and symmetric, stat_length for statistics, "
                  "end_values for ramps");
    static_assert(fits, "exprax: pad: give one number, (before, after), or two for each axis, also for stat_length and end_values");
    if constexpr (detail::pads<X, Widths...> && ((Widths >= 0) && ...) &&
                  (Mode == pad_with::empty || detail::has_what_pads<X, Widths...>)&&takes && fits)
      return std::apply(
          [&](auto const&... v) {
            return detail::apply<detail::pad_mode_op<Mode, (std::is_same_v<O, reflect_odd_t> || ...), lengths, Widths...>>(x, v...);
          },
          ends);
    else return x;  // after the error: nothing that leads to others
  } else {
    return x;
  }
}
// pad<1, 2>(x, constant_values(4, 6)): 4 once in front, 6 twice behind (jax.numpy.pad). Shape, dtype and errors as of pad with one
// constant.
template <int... Widths, array_like X, class... V>
constexpr auto pad(X const& x, detail::constant_values_option<V...> const& constants) {
  constexpr bool fits = detail::are_pairs(sizeof...(V), detail::rank_in<X>);
  static_assert(detail::pads<X, Widths...>, "exprax: pad: give one width, ex::pad<1>(x), (before, after), or two widths for each axis");
  static_assert(((Widths >= 0) && ...), "exprax: pad: index can't contain negative values");
  static_assert(fits, "exprax: pad: give one constant, (before, after), or two for each axis");
  if constexpr (detail::pads<X, Widths...> && ((Widths >= 0) && ...) && fits)
    return std::apply([&](auto const&... v) { return detail::apply<detail::pad_constants_op<Widths...>>(x, v...); }, constants.values);
  else return x;  // after the error: nothing that leads to others
}

}  // namespace exprax
