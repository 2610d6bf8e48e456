// SPDX-License-Identifier: BSL-1.0
// Convolutions of any rank (jax.lax): conv_general_dilated and conv. They are correlations, as in JAX: the
// window is not reversed (jax.numpy.convolve reverses it: numpy/products/convolve.hpp).
#pragma once

#include <exprax/base/fixed_string.hpp>
#include <exprax/base/options.hpp>
#include <exprax/numpy/core/operand.hpp>
#include <exprax/numpy/reductions/window_tags.hpp>
#include <exprax/numpy/shape/transpose.hpp>
#include <exprax/primitives/contractions/conv_general_dilated.hpp>
#include <exprax/primitives/infer.hpp>

namespace exprax {

template <detail::fixed_string Lhs, detail::fixed_string Rhs, detail::fixed_string Out>
struct conv_dimension_numbers_t {};
// Where the axes stand: "NHWC", "HWIO", "NHWC". N, C and O, I are batch and features, the other letters are spatial axes, in the
// order that they have in the second text.
template <detail::fixed_string Lhs, detail::fixed_string Rhs, detail::fixed_string Out>
inline constexpr conv_dimension_numbers_t<Lhs, Rhs, Out> conv_dimension_numbers{};

template <int N>
struct feature_group_count_t {};
template <int N>
struct batch_group_count_t {};
// Input and output features fall into so many groups, each convolved by itself.
template <int N>
inline constexpr feature_group_count_t<N> feature_group_count{};
// Rows of the batch and output features fall into so many groups.
template <int N>
inline constexpr batch_group_count_t<N> batch_group_count{};

template <class T>
struct preferred_element_type_t {};
// The dtype in which products are summed, and of the result.
template <class T>
inline constexpr preferred_element_type_t<T> preferred_element_type{};

namespace detail {

template <fixed_string L, fixed_string R, fixed_string O>
inline constexpr option_word word_of<conv_dimension_numbers_t<L, R, O>>{"conv_dimension_numbers"};
template <int N>
inline constexpr option_word word_of<feature_group_count_t<N>>{"feature_group_count"};
template <int N>
inline constexpr option_word word_of<batch_group_count_t<N>>{"batch_group_count"};
template <class T>
inline constexpr option_word word_of<preferred_element_type_t<T>>{"preferred_element_type"};

template <class... Tags>
struct group_tags {
  static constexpr int features = 1, batches = 1;
};
template <int N, class... Rest>
struct group_tags<feature_group_count_t<N>, Rest...> : group_tags<Rest...> {
  static constexpr int features = N;
};
template <int N, class... Rest>
struct group_tags<batch_group_count_t<N>, Rest...> : group_tags<Rest...> {
  static constexpr int batches = N;
};
template <class First, class... Rest>
struct group_tags<First, Rest...> : group_tags<Rest...> {};

template <class Otherwise, class... Tags>
struct preferred_of {
  using type = Otherwise;
  static constexpr bool given = false;
};
template <class Otherwise, class T, class... Rest>
struct preferred_of<Otherwise, preferred_element_type_t<T>, Rest...> {
  using type = canonical_t<T>;
  static constexpr bool given = true;
};
template <class Otherwise, class First, class... Rest>
struct preferred_of<Otherwise, First, Rest...> : preferred_of<Otherwise, Rest...> {};

// Positions of the axes: two with letters of their own, then the spatial ones as `order` names them.
struct axis_positions {
  int of[max_rank] = {};
  bool valid = true;
};
constexpr axis_positions positions_of(std::string_view spec, std::string_view letters, std::string_view order,
                                      std::string_view order_letters, int rank) {
  axis_positions r;
  r.valid = static_cast<int>(spec.size()) == rank && rank <= max_rank;
  int n = 0;
  auto const find = [&](char c) {
    std::size_t const at = spec.find(c);
    r.valid = r.valid && at != std::string_view::npos && spec.rfind(c) == at && n < rank;
    if (r.valid) r.of[n++] = static_cast<int>(at);
  };
  for (char c : letters) find(c);
  for (char c : order)
    if (order_letters.find(c) == std::string_view::npos) find(c);
  r.valid = r.valid && n == rank;
  return r;
}
struct conv_positions {
  axis_positions lhs, rhs, out;
  bool given = false;
  constexpr bool valid() const { return lhs.valid && rhs.valid && out.valid; }
};
template <int Rank, class... Tags>
struct positions_of_tags {
  static constexpr conv_positions make() {
    conv_positions p;
    for (int i = 0; i < Rank && i < max_rank; ++i) p.lhs.of[i] = p.rhs.of[i] = p.out.of[i] = i;
    return p;
  }
};
template <int Rank, fixed_string L, fixed_string R, fixed_string O, class... Rest>
struct positions_of_tags<Rank, conv_dimension_numbers_t<L, R, O>, Rest...> {
  static constexpr conv_positions make() {
    return {positions_of(L.view(), "NC", R.view(), "OI", Rank), positions_of(R.view(), "OI", R.view(), "OI", Rank),
            positions_of(O.view(), "NC", R.view(), "OI", Rank), true};
  }
};
template <int Rank, class First, class... Rest>
struct positions_of_tags<Rank, First, Rest...> : positions_of_tags<Rank, Rest...> {};

// Parameters of the equation and the aval of its result.
template <class L, class R, class... Tags>
struct conv_plan {
  static constexpr int rank = rank_in<L>, spatial = rank - 2;
  using strides_tag = ints_of_tag<window_strides_t, Tags...>;
  using padding_tag = ints_of_tag<padding_t, Tags...>;
  using lhs_tag = ints_of_tag<lhs_dilation_t, Tags...>;
  using rhs_tag = ints_of_tag<rhs_dilation_t, Tags...>;
  using groups = group_tags<Tags...>;
  using preferred = preferred_of<strong_t<type_in<L>>, Tags...>;

  static constexpr bool same_ranks = rank_in<R> == rank && rank >= 2;
  static constexpr bool same_dtypes = dtype_of<type_in<L>> == dtype_of<type_in<R>>;
  static constexpr conv_positions positions = positions_of_tags<rank, Tags...>::make();
  static constexpr bool is_entry_for_each_axis(bool given, int count, int wanted) { return !given || count == wanted; }
  static constexpr bool entries_fit = is_entry_for_each_axis(strides_tag::given, strides_tag::count, spatial) &&
                                      is_entry_for_each_axis(padding_tag::given, padding_tag::count, 2 * spatial) &&
                                      is_entry_for_each_axis(lhs_tag::given, lhs_tag::count, spatial) &&
                                      is_entry_for_each_axis(rhs_tag::given, rhs_tag::count, spatial);
  static constexpr int lhs_dim(int k) { return aval_in<L>.dims[positions.lhs.of[k]]; }
  static constexpr int rhs_dim(int k) { return aval_in<R>.dims[positions.rhs.of[k]]; }
  static constexpr bool groups_are_valid = groups::features >= 1 && groups::batches >= 1 && (groups::features == 1 || groups::batches == 1);
  static constexpr bool features_fit = same_ranks && positions.valid() && groups_are_valid && lhs_dim(1) == rhs_dim(1) * groups::features;
  static constexpr bool groups_divide = same_ranks && positions.valid() && groups_are_valid && rhs_dim(0) % groups::features == 0 &&
                                        rhs_dim(0) % groups::batches == 0 && lhs_dim(0) % groups::batches == 0;
  static constexpr bool fits = same_ranks && same_dtypes && positions.valid() && entries_fit && features_fit && groups_divide;

  struct made {
    int params[4 + 5 * max_rank + 3 * max_rank] = {};
    int n = 0;
    aval value;
    bool valid = false;
  };
  static constexpr made of = [] {
    made m;
    if (!fits) return m;
    low_and_high pads[max_rank] = {};
    padding_rule const rule = padding_rule_of<Tags...>::value;
    for (int i = 0; i < spatial; ++i) {
      int const n = dilated_size(lhs_dim(2 + i), lhs_tag::at(i, 1)), window = dilated_size(rhs_dim(2 + i), rhs_tag::at(i, 1));
      pads[i] = padding_tag::given ? low_and_high{padding_tag::at(2 * i, 0), padding_tag::at(2 * i + 1, 0)}
                                   : padding_by_rule(rule, n, window, strides_tag::at(i, 1));
    }
    auto const push = [&](int x) { m.params[m.n++] = x; };
    push(spatial);
    for (int i = 0; i < spatial; ++i) push(strides_tag::at(i, 1));
    for (int i = 0; i < spatial; ++i) push(pads[i].low);
    for (int i = 0; i < spatial; ++i) push(pads[i].high);
    for (int i = 0; i < spatial; ++i) push(lhs_tag::at(i, 1));
    for (int i = 0; i < spatial; ++i) push(rhs_tag::at(i, 1));
    push(groups::features);
    push(groups::batches);
    int const type = static_cast<int>(dtype_of<typename preferred::type>);
    push(preferred::given ? type : ~type);
    if (positions.given)
      for (axis_positions const& p : {positions.lhs, positions.rhs, positions.out})
        for (int i = 0; i < rank; ++i) push(p.of[i]);
    aval const in[] = {aval_in<L>, aval_in<R>};
    m.valid = infer(prim::conv_general_dilated, in, {m.params, m.n}, &m.value);
    return m;
  }();
  static constexpr aval value = of.value;
};

template <class... Tags>
struct conv_op {
  template <operand L, operand R>
  constexpr auto operator()(L const& lhs, R const& rhs) const {
    using plan = conv_plan<L, R, Tags...>;
    return detail::bind<expr_from<plan>>(prim::conv_general_dilated, span<int>(plan::of.params, plan::of.n), as_traced(lhs),
                                         as_traced(rhs));
  }
};

// conv_general_dilated with options that were checked; of several of one kind the first one counts.
template <class L, class R, class... Tags>
constexpr auto convolved(L const& lhs, R const& rhs, Tags...) {
  using plan = conv_plan<L, R, Tags...>;
  static_assert(plan::same_ranks, "exprax: conv_general_dilated: lhs and rhs must have the same number of dimensions, 2 or more");
  static_assert(!plan::same_ranks || plan::same_dtypes,
                "exprax: conv_general_dilated: requires arguments to have the same dtypes: convert one with ex::astype<T>(x)");
  static_assert(!plan::same_ranks || plan::positions.valid(),
                "exprax: conv_general_dilated: conv_dimension_numbers: each text names every axis once, with N and C (lhs, result) or O "
                "and I (rhs), and the same spatial letters");
  static_assert(
      !plan::same_ranks || plan::entries_fit,
      "exprax: conv_general_dilated: window_strides, lhs_dilation and rhs_dilation have one entry for each spatial axis, padding has two");
  static_assert(plan::groups_are_valid,
                "exprax: conv_general_dilated: at most one of batch_group_count and feature_group_count may be > 1, and neither below 1");
  static_assert(!plan::same_ranks || !plan::groups_are_valid || plan::features_fit,
                "exprax: conv_general_dilated: lhs feature dimension size divided by feature_group_count must equal the rhs input feature "
                "dimension size");
  static_assert(!plan::features_fit || plan::groups_divide,
                "exprax: conv_general_dilated: the groups must divide the rhs output feature dimension size (and batch groups the lhs "
                "batch dimension size)");
  if constexpr (plan::fits) {
    static_assert(plan::of.valid, "exprax: conv_general_dilated: strides and dilations must be positive");
    return apply<conv_op<Tags...>>(lhs, rhs);
  } else {
    return lhs;  // after the error: nothing that leads to others
  }
}

}  // namespace detail

// The filters rhs move over lhs. lhs [N, C, spatial...], rhs [O, I, spatial...], result [N, O, spatial...], or as
// conv_dimension_numbers<...> says. Both have one dtype, the result's unless preferred_element_type<T> is given. Options:
// window_strides<...>, padding<low, high, ...> or padding_same, padding_valid (the default), lhs_dilation<...>, rhs_dilation<...>,
// feature_group_count<n>, batch_group_count<n>. Refused: different ranks or dtypes, features or groups that do not fit
// (jax.lax.conv_general_dilated, StableHLO convolution).
inline constexpr struct conv_general_dilated_function {
  template <array_like L, array_like R, class... Tags>
  constexpr auto operator()(L const& lhs, R const& rhs, Tags... tags) const {
    EXPRAX_TAKES("conv_general_dilated", "window_strides, lhs_dilation, rhs_dilation, conv_dimension_numbers, preferred_element_type, "
                 "feature_group_count, batch_group_count, padding", Tags...)
      return detail::convolved(lhs, rhs, tags...);
    else return lhs;
  }
} conv_general_dilated{};

// conv_general_dilated without dilation: conv(lhs, rhs, window_strides<1, 1>, padding_same). lhs [N, C, spatial...], rhs [O, C,
// spatial...], result [N, O, spatial...]. Both have one dtype, which is the result's. Refused as there (jax.lax.conv).
inline constexpr struct conv_function {
  template <array_like L, array_like R, class... Tags>
  constexpr auto operator()(L const& lhs, R const& rhs, Tags... tags) const {
    EXPRAX_TAKES("conv", "window_strides, padding", Tags...) return conv_general_dilated(lhs, rhs, tags...);
    else return lhs;
  }
} conv{};

namespace lax {

using exprax::conv;
using exprax::conv_general_dilated;

}  // namespace lax

}  // namespace exprax
