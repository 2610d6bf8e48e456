// SPDX-License-Identifier: BSL-1.0
// Window functions (jax.numpy): hanning<M>(), hamming, blackman, bartlett, kaiser<M>(beta); and i0, the modified Bessel function of
// order 0, that kaiser is made of. M points, symmetric; float.
#pragma once

#include <exprax/api/control/fori_loop.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/operators.hpp>

namespace exprax {

namespace detail {

// first + second cos(2 pi n / (M - 1)) + third cos(4 pi n / (M - 1)).
template <int M, bool Third>
constexpr expr<float, M> cosine_window(float first, float second, float third) {
  if constexpr (M <= 1) {
    return filled<float, M>(1);
  } else {
    constexpr float pi = 3.14159265358979324f;
    auto const n = broadcasted_iota<float, 0, M>();
    auto const turns = divide(multiply(2 * pi, n), float(M - 1));
    auto const one = add(first, multiply(second, cos(turns)));
    if constexpr (!Third) return one;
    else return add(one, multiply(third, cos(divide(multiply(4 * pi, n), float(M - 1)))));
  }
}
// The power series of I0, sum over k of (x^2/4)^k / k!^2, from its last term on: all terms are positive, so nothing cancels; and beyond
// `far` the expansion at infinity, e^x / sqrt(2 pi x) times sum of (1^2 3^2 ... (2k-1)^2) / (k! (8x)^k) (Abramowitz and
// Stegun 9.6.10, 9.7.1).
struct i0_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = inexact_t<type_in<X>>;
    auto const size = abs(expr_like<X, type>(as_expr<type>(x)));
    using out = expr_like<X, type>;
    constexpr float far = 40;
    auto const near = minimum(size, far);
    auto const y = multiply(multiply(near, near), 0.25f);
    out const one = constant_like<out>(size, typename out::value_type(1));
    auto const series = fori_loop(
        0, 90,
        [y, one](auto i, auto sum) {
          auto const k = astype<type>(subtract(90, i));
          return out(add(one, divide(multiply(sum, y), multiply(k, k))));
        },
        one);
    auto const large = maximum(size, far);
    auto const step = reciprocal(multiply(8, large));
    out tail = one;
    for (int k = 14; k > 0; --k) tail = add(one, multiply(multiply(tail, step), float((2 * k - 1) * (2 * k - 1)) / float(k)));
    auto const scale = divide(exp(large), sqrt(multiply(6.283185307179586, large)));
    return out(where(less(size, far), series, multiply(scale, tail)));
  }
};
template <int M>
struct kaiser_op {
  template <operand B>
  constexpr auto operator()(B const& beta) const {
    if constexpr (M <= 1) {
      return filled<float, M>(1);
    } else {
      constexpr float middle = 0.5f * (M - 1);
      auto const n = broadcasted_iota<float, 0, M>();
      auto const from_middle = divide(subtract(n, middle), middle);
      auto const height = sqrt(subtract(1, multiply(from_middle, from_middle)));
      return divide(i0_op{}(multiply(beta, height)), i0_op{}(beta));
    }
  }
};

}  // namespace detail

// M points of 0.5 - 0.5 cos t (hanning), of 0.54 - 0.46 cos t (hamming), of 0.42 - 0.5 cos t + 0.08 cos 2t (blackman), t from 0 to 2 pi:
// float32[M] (jax.numpy.hanning, hamming, blackman).
template <int M>
constexpr auto hanning() {
  return detail::created([] { return detail::cosine_window<M, false>(0.5f, -0.5f, 0); });
}
template <int M>
constexpr auto hamming() {
  return detail::created([] { return detail::cosine_window<M, false>(0.54f, -0.46f, 0); });
}
template <int M>
constexpr auto blackman() {
  return detail::created([] { return detail::cosine_window<M, true>(0.42f, -0.5f, 0.08f); });
}
// M points of a triangle with 0 at both ends and 1 in the middle: float32[M] (jax.numpy.bartlett).
template <int M>
constexpr auto bartlett() {
  return detail::created([] {
    if constexpr (M <= 1) {
      return detail::filled<float, M>(1);
    } else {
      auto const n = detail::broadcasted_iota<float, 0, M>();
      auto const distance = abs(subtract(multiply(2, n), float(M - 1)));
      return subtract(1, divide(distance, float(M - 1)));
    }
  });
}
// The modified Bessel function of the first kind of order 0. Shape of x; integers become float32 (x64: float64) (jax.numpy.i0).
inline constexpr struct i0_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::i0_op>(x);
  }
} i0{};
// M points of I0(beta sqrt(1 - t^2)) / I0(beta), t from -1 to 1; beta a scalar: [M], the dtype that float32 and beta promote to
// (jax.numpy.kaiser).
template <int M, detail::operand B>
constexpr auto kaiser(B const& beta) {
  return detail::created(detail::kaiser_op<M>{}, beta);
}

}  // namespace exprax
