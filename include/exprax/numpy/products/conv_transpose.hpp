// SPDX-License-Identifier: BSL-1.0
// Transposed convolutions (jax.lax.conv_transpose).
#pragma once

#include <exprax/numpy/products/conv.hpp>

namespace exprax {

namespace detail {

// jax.lax's _conv_transpose_padding, for one axis; window: already dilated.
constexpr low_and_high transposed_padding(padding_rule rule, int window, int stride) {
  int const more = window > stride ? window - stride : 0;
  int const all = rule == padding_rule::valid ? window + stride - 2 + more : window + stride - 2;
  int const low = rule == padding_rule::valid || stride > window - 1 ? window - 1 : (all + 1) / 2;
  return {low, all - low};
}

template <int Rank>
struct transposed_numbers;
template <> struct transposed_numbers<2> { using type = conv_dimension_numbers_t<"NC", "IO", "NC">; };
template <> struct transposed_numbers<3> { using type = conv_dimension_numbers_t<"NHC", "HIO", "NHC">; };
template <> struct transposed_numbers<4> { using type = conv_dimension_numbers_t<"NHWC", "HWIO", "NHWC">; };
template <> struct transposed_numbers<5> { using type = conv_dimension_numbers_t<"NHWDC", "HWDIO", "NHWDC">; };

template <class Otherwise, class... Tags>
struct numbers_of {
  using type = Otherwise;
};
template <class Otherwise, fixed_string L, fixed_string R, fixed_string O, class... Rest>
struct numbers_of<Otherwise, conv_dimension_numbers_t<L, R, O>, Rest...> {
  using type = conv_dimension_numbers_t<L, R, O>;
};
template <class Otherwise, class First, class... Rest>
struct numbers_of<Otherwise, First, Rest...> : numbers_of<Otherwise, Rest...> {};

// The padding of spatial axis i of a transposed convolution with filters R.
template <class R, class Numbers, class... Tags>
constexpr low_and_high transposed_padding_of(int i, int stride) {
  using dilation = ints_of_tag<rhs_dilation_t, Tags...>;
  int const window = aval_in<R>.dims[positions_of_tags<rank_in<R>, Numbers>::make().rhs.of[2 + i]];
  return transposed_padding(padding_rule_of<Tags...>::value, dilated_size(window, dilation::at(i, 1)), stride);
}
template <class R, class Numbers, int... Strides, class... Tags, int... I>
constexpr auto transposed_pads(window_strides_t<Strides...>, std::integer_sequence<int, I...>, Tags...) {
  if constexpr (ints_of_tag<padding_t, Tags...>::given) {
    return padding_valid;  // the one that is given comes later
  } else {
    constexpr int stride[] = {Strides..., 1};
    return padding<(I % 2 == 0 ? transposed_padding_of<R, Numbers, Tags...>(I / 2, stride[I / 2]).low
                               : transposed_padding_of<R, Numbers, Tags...>(I / 2, stride[I / 2]).high)...>;
  }
}

}  // namespace detail

// The transposed convolution: lhs is dilated by the strides. padding_same and padding_valid are those of the convolution that this one is
// the transpose of; padding<...> is of this one. Axes as in "NHWC", "HWIO", "NHWC" (or the like for other ranks) if conv_dimension_numbers
// does not say otherwise. One dtype, which is the result's. Refused: ranks that are not the number of strides + 2; see
// conv_general_dilated (jax.lax.conv_transpose).
inline constexpr struct conv_transpose_function {
  template <array_like L, array_like R, int... Strides, class... Tags>
  constexpr auto operator()(L const& lhs, R const& rhs, window_strides_t<Strides...>, Tags... tags) const {
    EXPRAX_TAKES("conv_transpose", "rhs_dilation, conv_dimension_numbers, preferred_element_type, padding", Tags...) {
      static_assert(detail::rank_in<L> == static_cast<int>(sizeof...(Strides)) + 2 && detail::rank_in<R> == detail::rank_in<L>,
                    "exprax: conv_transpose: lhs and rhs have two axes more than there are window_strides");
      using numbers = typename detail::numbers_of<typename detail::transposed_numbers<detail::rank_in<L>>::type, Tags...>::type;
      auto const pads = detail::transposed_pads<R, numbers>(
          window_strides<Strides...>, std::make_integer_sequence<int, 2 * static_cast<int>(sizeof...(Strides))>{}, tags...);
      return detail::convolved(lhs, rhs, numbers{}, lhs_dilation<Strides...>, pads, tags...);
    } else {
      return lhs;
    }
  }
} conv_transpose{};

namespace lax {

using exprax::conv_transpose;

}  // namespace lax

}  // namespace exprax
