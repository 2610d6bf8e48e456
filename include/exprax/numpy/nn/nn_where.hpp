// SPDX-License-Identifier: BSL-1.0
// Functions of neural networks where only some elements count, where_(mask): softmax, log_softmax, standardize (jax.nn), logsumexp; and
// logmeanexp, log1mexp.
#pragma once

#include <exprax/numpy/nn/softmax.hpp>
#include <exprax/numpy/reductions/reduction_options.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace detail {

// The axes that options name; the last one if they name none.
template <class X, class... O>
using axes_or_last = std::conditional_t<(is_axis<O> || ...), reduced_axes<X, O...>, axis_t<-1>>;
template <bool Log>
struct masked_softmax_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    using axes = axes_or_last<X, O...>;
    using type = inexact_t<type_in<X>>;
    auto const a = as_expr<type>(x);
    auto const mask = mask_of(options...);
    auto const safe = or_minus_infinity(mask, a);
    auto const shifted = safe - stop_gradient(expand_dims(bounded_max<axes>(safe), axes{}));
    auto const e = exp(shifted);
    auto const total = sum(e, axes{}, keepdims, where_(mask));
    if constexpr (Log) return or_minus_infinity(mask, shifted - log(total));
    else return where(mask, e / total, literal<type>(strong_t<type>(0)));
  }
};
template <bool Stable>
struct masked_standardize_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    using axes = axes_or_last<X, O...>;
    auto const center = average_of<axes>(x, options...);
    auto const variance = [&] {
      if constexpr (Stable) return average_of<axes>(square(x - center), options...);
      else return maximum(0, average_of<axes>(square(x), options...) - square(center));
    }();
    return (x - center) * rsqrt(variance + 1e-5);
  }

 private:
  template <class Axes, class X, class... O>
  static constexpr auto average_of(X const& x, [[maybe_unused]] O const&... options) {
    if constexpr (has_tag<where_option, O...>) return mean(x, Axes{}, keepdims, where_(mask_of(options...)));
    else return mean(x, Axes{}, keepdims);
  }
};
template <class... Tags>
struct logmeanexp_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    using type = inexact_t<type_in<X>>;
    auto const a = as_expr<type>(x);
    auto const count = log(as_expr<type>(counted_elements<type>(a, options...)));
    if constexpr (has_tag<where_option, O...>) return masked_logsumexp_body<Tags...>{}(a, options...) - count;
    else return logsumexp_op<Tags...>{}(a) - count;
  }
};
// JAX changes the formula at log 2, where both lose least.
struct log1mexp_body {
  static constexpr std::string_view name = "log1mexp";
  constexpr auto operator()(auto const& x) const { return where(x < 0.6931471805599453, log(-expm1(-x)), log1p(-exp(-x))); }
};

}  // namespace detail

namespace nn {

// exp(x) / sum(exp(x)) of the elements that count, 0 elsewhere: softmax(x, where_(mask)), softmax(x, axis<0>, where_(mask)). Shape of x;
// integers become float32 (jax.nn.softmax with where=).
template <array_like X, class... O>
constexpr auto softmax(X const& x, O const&... options) {
  EXPRAX_TAKES("nn::softmax", "axis<...>, where_(mask)", O...)
  return detail::apply_with_options<detail::masked_softmax_body<false>>(x, options...);
  else return x;
}
// Its logarithm; -infinity where elements do not count (jax.nn.log_softmax with where=).
template <array_like X, class... O>
constexpr auto log_softmax(X const& x, O const&... options) {
  EXPRAX_TAKES("nn::log_softmax", "axis<...>, where_(mask)", O...)
  return detail::apply_with_options<detail::masked_softmax_body<true>>(x, options...);
  else return x;
}
// x less the mean, by the deviation, of the elements that count, epsilon 1e-5; with ex::stable the variance from differences to the mean,
// which loses no digits (algorithm="stable"). Shape of x; integers become float32 (jax.nn.standardize with where=).
template <array_like X, class... O>
constexpr auto standardize(X const& x, O const&... options) {
  EXPRAX_TAKES("nn::standardize", "axis<...>, where_(mask), stable", O...)
    return detail::apply_with_options<detail::masked_standardize_body<(std::is_same_v<O, stable_t<true>> || ...)>>(x, options...);
  else return x;
}
// The same with a mean and a variance that are given: (x - mean) / sqrt(variance + epsilon). Shapes broadcast.
template <array_like X, int... Axes, array_like M, array_like V, array_like E = double>
constexpr auto standardize(X const& x, axis_t<Axes...>, M const& mean, V const& variance, E const& epsilon = 1e-5) {
  return detail::nn_call<detail::standardize_body<axis_t<Axes...>>>(x, epsilon, mean, variance);
}
// log(mean(exp(x))) over all axes or axis<...>, keepdims, where_(mask); integers become float32 (jax.nn.logmeanexp).
inline constexpr struct logmeanexp_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("nn::logmeanexp", "axis<...>, keepdims, where_(mask)", O...)
    return detail::apply_with_options<detail::logmeanexp_body<O...>>(x, options...);
    else return x;
  }
} logmeanexp{};
// log(1 - exp(-x)); NaN below 0. Shape of x; integers become float32 (jax.nn.log1mexp).
inline constexpr struct log1mexp_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::log1mexp_body>(x);
  }
} log1mexp{};

}  // namespace nn

namespace nn {
using exprax::logsumexp;
}

}  // namespace exprax
