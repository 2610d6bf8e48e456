// SPDX-License-Identifier: BSL-1.0
// Functions of neural networks along axes (jax.nn): softmax, log_softmax, standardize, one_hot; and logsumexp.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/nn/activations.hpp>
#include <exprax/numpy/reductions/logsumexp.hpp>

namespace exprax {

namespace detail {

template <class Axes>
struct softmax_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto const a = as_expr<inexact_t<type_in<X>>>(x);
    auto const e = exp(a - stop_gradient(expand_dims(bounded_max<Axes>(a), Axes{})));
    return e / sum(e, Axes{}, keepdims);
  }
};
template <class Axes>
struct log_softmax_body {
  static constexpr std::string_view name = "log_softmax";
  constexpr auto operator()(auto const& x) const {
    auto const a = as_expr<inexact_t<type_in<decltype(x)>>>(x);
    auto const shifted = a - stop_gradient(expand_dims(bounded_max<Axes>(a), Axes{}));
    return shifted - log(sum(exp(shifted), Axes{}, keepdims));
  }
};
struct clip_below_body {
  constexpr auto operator()(auto const& x, auto const& low) const { return maximum(low, x); }
};
template <class Axes>
struct standardize_body {
  static constexpr std::string_view name = "standardize";
  constexpr auto operator()(auto const& x, auto const& epsilon) const {
    auto const center = mean(x, Axes{}, keepdims);
    return scaled(x, center, named_call<clip_below_body>("clip", mean(square(x), Axes{}, keepdims) - square(center), 0), epsilon);
  }
  constexpr auto operator()(auto const& x, auto const& epsilon, auto const& center, auto const& variance) const {
    return scaled(x, center, variance, epsilon);
  }

 private:
  static constexpr auto scaled(auto const& x, auto const& center, auto const& variance, auto const& epsilon) {
    return (x - center) * rsqrt(variance + epsilon);
  }
};

template <class T, int N, int Axis>
struct one_hot_body {
  static constexpr std::string_view name = "_one_hot";
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    auto const indices = classes(x, std::make_integer_sequence<int, X::rank + 1>{});
    return astype<T>(expand_dims(x, axis<Axis>) == indices);
  }

 private:
  template <class X, int... I>
  static constexpr auto classes(X const& x, std::integer_sequence<int, I...>) {
    constexpr int at = normal_axis(Axis, X::rank + 1);
    return broadcasted_iota_near<strong_t<type_in<X>>, at, (I == at ? N : 1)...>(x);
  }
};

}  // namespace detail

namespace nn {

using exprax::logsumexp;

// exp(x) / sum(exp(x)) along axis<...> (the last one). Shape of x; integers become float32. Refused: an axis repeated or out of range
// (jax.nn.softmax).
template <array_like X, int... Axes>
constexpr auto softmax(X const& x, axis_t<Axes...>) {
  static_assert(detail::has_such_axes<X, Axes...>, "exprax: nn::softmax: an axis is repeated, or out of range for the array");
  if constexpr (detail::has_such_axes<X, Axes...>) return detail::apply<detail::softmax_op<detail::reduced_axes<X, axis_t<Axes...>>>>(x);
  else return x;
}
template <array_like X>
constexpr auto softmax(X const& x) {
  return softmax(x, axis<-1>);
}
// The logarithm of softmax, without overflow; the same shape, dtype and errors (jax.nn.log_softmax).
template <array_like X, int... Axes>
constexpr auto log_softmax(X const& x, axis_t<Axes...>) {
  static_assert(detail::has_such_axes<X, Axes...>, "exprax: nn::log_softmax: an axis is repeated, or out of range for the array");
  if constexpr (detail::has_such_axes<X, Axes...>)
    return detail::nn_call<detail::log_softmax_body<detail::reduced_axes<X, axis_t<Axes...>>>>(x);
  else return x;
}
template <array_like X>
constexpr auto log_softmax(X const& x) {
  return log_softmax(x, axis<-1>);
}
// (x - mean) / sqrt(variance + epsilon) along axis<...> (the last one). Shape of x; integers become float32. Refused: an axis repeated or
// out of range (jax.nn.standardize).
template <array_like X, int... Axes, array_like E = double>
constexpr auto standardize(X const& x, axis_t<Axes...>, E const& epsilon = 1e-5) {
  static_assert(detail::has_such_axes<X, Axes...>, "exprax: nn::standardize: an axis is repeated, or out of range for the array");
  if constexpr (detail::has_such_axes<X, Axes...>)
    return detail::nn_call<detail::standardize_body<detail::reduced_axes<X, axis_t<Axes...>>>>(x, epsilon);
  else return x;
}
template <array_like X>
constexpr auto standardize(X const& x) {
  return standardize(x, axis<-1>);
}
// For each integer a row of N that is 1 there and 0 elsewhere, all 0 for an integer out of range; along a new axis<k>, the last one: [...]
// -> [..., N], default_float, or T: one_hot<3>(x), one_hot<double, 3>(x), one_hot(x, static_<3>) (jax.nn.one_hot).
template <class T, int N, array_like X, int Axis = -1>
constexpr auto one_hot(X const& x, axis_t<Axis> = {}) {
  return detail::nn_call<detail::one_hot_body<canonical_t<T>, N, Axis>>(x);
}
template <int N, array_like X, int Axis = -1>
constexpr auto one_hot(X const& x, axis_t<Axis> a = {}) {
  return one_hot<default_float, N>(x, a);
}
template <array_like X, int N, int Axis = -1>
constexpr auto one_hot(X const& x, static_t<N>, axis_t<Axis> a = {}) {
  return one_hot<default_float, N>(x, a);
}
template <array_like X, std::integral N>
constexpr auto one_hot(X const& x, N) {
  static_assert(detail::are_template_arguments<N>,
                "exprax: nn::one_hot: the number of classes is part of the type: write ex::nn::one_hot<3>(x)");
  return x;
}

}  // namespace nn

}  // namespace exprax
