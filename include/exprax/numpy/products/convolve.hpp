// SPDX-License-Identifier: BSL-1.0
// Convolution of two vectors (jax.numpy): convolve, by conv_general_dilated with the shorter one reversed; and correlate, without reversal.
#pragma once

#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/elementwise/complex.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/shape/transpose.hpp>

namespace exprax {

namespace detail {

enum class convolve_mode { full, same, valid };

template <convolve_mode Mode>
struct mode_t {};

template <class T, int N, int K, convolve_mode Mode>
struct convolution {
  static constexpr int low = Mode == convolve_mode::valid ? 0 : Mode == convolve_mode::same ? K / 2 : K - 1;
  static constexpr int high = Mode == convolve_mode::valid ? 0 : Mode == convolve_mode::same ? K - K / 2 - 1 : K - 1;
  static constexpr int size = N + low + high - K + 1;
  // One spatial axis, window stride 1, padding, dilations 1, one group, no preferred dtype.
  static constexpr int params[] = {1, 1, low, high, 1, 1, 1, 1, ~static_cast<int>(dtype_of<T>)};
};

template <convolve_mode Mode>
struct conv_body {
  template <tracer X, tracer K>
  constexpr auto operator()(X const& x, K const& kernel) const {
    using type = strong_t<inexact_t<promote_t<type_in<X>, type_in<K>>>>;
    expr_like<X, type> const a = cast<type>(x);
    expr_like<K, type> const b = cast<type>(kernel);
    if constexpr (X::extent(0) < K::extent(0))
      return slide<type>(b, a);
    else
      return slide<type>(a, b);
  }

 private:
  template <class T, class X, class K>
  static constexpr auto slide(X const& x, K const& kernel) {
    using conv = convolution<T, X::extent(0), K::extent(0), Mode>;
    auto const reversed_kernel = flip(kernel, axis<>);
    auto const lhs = expanded<0, 1>(x);
    auto const rhs = expanded<0, 1>(reversed_kernel);
    auto const result = detail::bind<expr<T, 1, 1, conv::size>>(prim::conv_general_dilated, conv::params, lhs, rhs);
    return index_read(result, 0, 0, all);
  }
};
template <convolve_mode Mode>
struct convolve_body {
  template <tracer X, tracer K>
  constexpr auto operator()(X const& x, K const& kernel) const {
    return named_call<conv_body<Mode>>("_conv", x, kernel);
  }
};
template <convolve_mode Mode>
struct convolve_op {
  template <operand X, operand K>
  constexpr auto operator()(X const& x, K const& kernel) const {
    return named_call<convolve_body<Mode>>("convolve", x, kernel);
  }
};

template <class... X>
inline constexpr bool are_vectors = ((rank_in<X> == 1) && ...);
template <class... X>
inline constexpr bool are_not_empty = ((aval_in<X>.size() > 0) && ...);

template <convolve_mode Mode>
struct correlate_body {
  template <tracer X, tracer K>
  constexpr auto operator()(X const& x, K const& kernel) const {
    using type = strong_t<inexact_t<promote_t<type_in<X>, type_in<K>>>>;
    expr_like<X, type> const a = cast<type>(x);
    expr_like<K, type> const b = conj_op{}(expr_like<K, type>(cast<type>(kernel)));
    if constexpr (X::extent(0) < K::extent(0)) return index_read(slide<type>(b, a), 0, 0, exprax::slice<none, none, -1>);
    else return index_read(slide<type>(a, b), 0, 0, all);
  }

 private:
  template <class T, class X, class K>
  static constexpr auto slide(X const& x, K const& kernel) {
    using conv = convolution<T, X::extent(0), K::extent(0), Mode>;
    auto const lhs = expanded<0, 1>(x);
    auto const rhs = expanded<0, 1>(kernel);
    return detail::bind<expr<T, 1, 1, conv::size>>(prim::conv_general_dilated, conv::params, lhs, rhs);
  }
};
template <convolve_mode Mode>
struct correlate_op {
  template <operand X, operand K>
  constexpr auto operator()(X const& x, K const& kernel) const {
    return named_call<correlate_body<Mode>>("correlate", x, kernel);
  }
};

}  // namespace detail

inline constexpr detail::mode_t<detail::convolve_mode::full> mode_full{};
inline constexpr detail::mode_t<detail::convolve_mode::same> mode_same{};
inline constexpr detail::mode_t<detail::convolve_mode::valid> mode_valid{};

// The sum of x[k - j] kernel[j] over j: the shorter vector, reversed, slides over the longer one. Sizes [n], [m] -> [n + m - 1]
// (mode_full, the default), [max(n, m)] (mode_same), [max(n, m) - min(n, m) + 1] (mode_valid). The promoted dtype; integers become float32
// (x64: float64). Refused: other ranks than 1, no elements (jax.numpy.convolve).
inline constexpr struct convolve_function {
  template <array_like X, array_like K, detail::convolve_mode Mode = detail::convolve_mode::full>
  constexpr auto operator()(X const& x, K const& kernel, detail::mode_t<Mode> = {}) const {
    static_assert(detail::are_vectors<X, K>, "exprax: convolve: only supports 1-dimensional inputs");
    static_assert(detail::are_not_empty<X, K>, "exprax: convolve: inputs cannot be empty");
    return detail::apply<detail::convolve_op<Mode>>(x, kernel);
  }
  template <array_like X, array_like K>
  constexpr auto operator()(X const& x, K const&, char const*) const {
    static_assert(detail::are_template_arguments<X>,
                  "exprax: convolve: the mode is part of the type: write ex::convolve(x, y, ex::mode<\"same\">)");
    return x;
  }
} convolve{};
// The second vector, conjugated if it is complex, slides over the first one: element k is the sum of a[n + k] v[n]. Shapes as of convolve,
// mode_valid if none is given. The promoted dtype; integers become float32 (x64: float64). Refused: other ranks than 1, no elements
// (jax.numpy.correlate).
inline constexpr struct correlate_function {
  template <array_like X, array_like K, detail::convolve_mode Mode = detail::convolve_mode::valid>
  constexpr auto operator()(X const& x, K const& kernel, detail::mode_t<Mode> = {}) const {
    static_assert(detail::are_vectors<X, K>, "exprax: correlate: only supports 1-dimensional inputs");
    static_assert(detail::are_not_empty<X, K>, "exprax: correlate: inputs cannot be empty");
    return detail::apply<detail::correlate_op<Mode>>(x, kernel);
  }
  template <array_like X, array_like K>
  constexpr auto operator()(X const& x, K const&, char const*) const {
    static_assert(detail::are_template_arguments<X>,
                  "exprax: correlate: the mode is part of the type: write ex::correlate(x, y, ex::mode<\"same\">)");
    return x;
  }
} correlate{};

}  // namespace exprax
