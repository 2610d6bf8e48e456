// SPDX-License-Identifier: BSL-1.0
// ex::fft: fftfreq, rfftfreq, fftshift, ifftshift (jax.numpy.fft): which frequencies the results of transforms are of, and their order.
#pragma once

#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/shape/rolling.hpp>

namespace exprax {

namespace detail {

template <class T, int N, bool Half>
struct frequencies_op {
  template <operand D>
  constexpr auto operator()(D const& spacing) const {
    constexpr int count = Half ? N / 2 + 1 : N, negative_from = Half ? count : (N + 1) / 2;
    auto const i = broadcasted_iota<std::int32_t, 0, count>();
    auto const k = where(i < negative_from, i, i - N);
    return divide(astype<T>(k), multiply(as_expr<T>(spacing), T(N)));
  }
};
// Rolled by half of their sizes along all axes, or those named.
template <bool Back, class Axes>
struct half_turn_op;
template <bool Back, int... A>
struct half_turn_op<Back, axis_t<A...>> {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return roll<(Back ? -(aval_in<X>.dims[normal_axis(A, rank_in<X>)] / 2) : aval_in<X>.dims[normal_axis(A, rank_in<X>)] / 2)...>(
        as_traced(x), axis<A...>);
  }
};
template <class X, int... I>
constexpr auto all_axes_of(std::integer_sequence<int, I...>) -> axis_t<I...>;

}  // namespace detail

namespace fft {

// The frequencies of fft's results for spacing d between samples: 0, 1, ..., -2, -1 times 1 / (d n): [N], default_float, or T:
// fftfreq<8>(), fftfreq<double, 8>(0.1). Refused: n below 1, a T that is not floating (jax.numpy.fft.fftfreq).
template <class T, int N, array_like D = double>
constexpr auto fftfreq(D const& d = 1.0) {
  static_assert(N > 0 && is_floating(dtype_of<T>), "exprax: fftfreq: n must be positive, and the dtype floating");
  return detail::apply<detail::frequencies_op<T, N, false>>(d);
}
template <int N, array_like D = double>
constexpr auto fftfreq(D const& d = 1.0) {
  return fftfreq<default_float, N>(d);
}
// Those of rfft: 0, 1, ..., n / 2 times 1 / (d n): [N / 2 + 1]. Dtype and errors as of fftfreq (jax.numpy.fft.rfftfreq).
template <class T, int N, array_like D = double>
constexpr auto rfftfreq(D const& d = 1.0) {
  static_assert(N > 0 && is_floating(dtype_of<T>), "exprax: rfftfreq: n must be positive, and the dtype floating");
  return detail::apply<detail::frequencies_op<T, N, true>>(d);
}
template <int N, array_like D = double>
constexpr auto rfftfreq(D const& d = 1.0) {
  return rfftfreq<default_float, N>(d);
}
// fftshift: frequency 0 from the front to the middle, along all axes or axis<...>; ifftshift: back. Shape and dtype stay
// (jax.numpy.fft.fftshift, ifftshift).
inline constexpr struct fftshift_function {
  template <array_like X, int... A>
  constexpr auto operator()(X const& x, axis_t<A...>) const {
    return detail::apply<detail::half_turn_op<false, axis_t<A...>>>(x);
  }
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return (*this)(x, decltype(detail::all_axes_of<X>(std::make_integer_sequence<int, detail::rank_in<X>>{})){});
  }
} fftshift{};
inline constexpr struct ifftshift_function {
  template <array_like X, int... A>
  constexpr auto operator()(X const& x, axis_t<A...>) const {
    return detail::apply<detail::half_turn_op<true, axis_t<A...>>>(x);
  }
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return (*this)(x, decltype(detail::all_axes_of<X>(std::make_integer_sequence<int, detail::rank_in<X>>{})){});
  }
} ifftshift{};

}  // namespace fft

}  // namespace exprax
