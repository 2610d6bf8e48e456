// SPDX-License-Identifier: BSL-1.0
// What Fourier transforms take besides axes (jax.numpy.fft): n<k> and s<k...>, the numbers of points; norm: backward, ortho, forward.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/tags.hpp>
#include <exprax/numpy/indexing/gather_numbers.hpp>

namespace exprax {

namespace fft {

template <int N>
struct n_t {};
// The number of points: the array is cut, or zeros are put behind it.
template <int N>
inline constexpr n_t<N> n{};
template <int... N>
struct s_t {};
// The number of points along each axis.
template <int... N>
inline constexpr s_t<N...> s{};

enum class norm_rule { backward, ortho, forward };
template <norm_rule Rule>
struct norm_t {};
// Which transform is divided by the number of points: the one back (the default), both by its root, or the one forward.
inline constexpr norm_t<norm_rule::backward> backward{};
inline constexpr norm_t<norm_rule::ortho> ortho{};
inline constexpr norm_t<norm_rule::forward> forward{};

}  // namespace fft

namespace detail {

template <int... N>
inline constexpr option_word word_of<fft::s_t<N...>>{"s<...>"};
template <int N>
inline constexpr option_word word_of<fft::n_t<N>>{"n<points>"};
template <>
inline constexpr option_word word_of<fft::norm_t<fft::norm_rule::backward>>{"backward", "norm"};
template <>
inline constexpr option_word word_of<fft::norm_t<fft::norm_rule::ortho>>{"ortho", "norm"};
template <>
inline constexpr option_word word_of<fft::norm_t<fft::norm_rule::forward>>{"forward", "norm"};

enum class fft_kind { whole, to_half, from_half };  // complex numbers; real numbers to half of their transform, and from it

template <class... Tags>
struct fft_tags {
  static constexpr dimension_list axes{}, sizes{};
  static constexpr bool has_axes = false;
  static constexpr fft::norm_rule norm = fft::norm_rule::backward;
};
template <int... A, class... Rest>
struct fft_tags<axis_t<A...>, Rest...> : fft_tags<Rest...> {
  static constexpr bool has_axes = true;
  static constexpr dimension_list axes{A...};
};
template <int... N, class... Rest>
struct fft_tags<fft::s_t<N...>, Rest...> : fft_tags<Rest...> {
  static constexpr dimension_list sizes{N...};
};
template <int N, class... Rest>
struct fft_tags<fft::n_t<N>, Rest...> : fft_tags<fft::s_t<N>, Rest...> {};
template <fft::norm_rule Rule, class... Rest>
struct fft_tags<fft::norm_t<Rule>, Rest...> : fft_tags<Rest...> {
  static constexpr fft::norm_rule norm = Rule;
};

}  // namespace detail

}  // namespace exprax
