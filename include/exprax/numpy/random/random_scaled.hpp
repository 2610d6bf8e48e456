// SPDX-License-Identifier: BSL-1.0
// Continuous distributions with parameters (jax.random): truncated_normal, lognormal, rayleigh, weibull_min, pareto, triangular, wald.
// The formulas are JAX's.
//
// Parameters are scalars or arrays; the shape is that in which they meet if none is given. The dtype is float if none is given.
#pragma once

#include <exprax/numpy/random/random_continuous.hpp>

namespace exprax {

namespace detail {

// A parameter in the dtype of the samples.
template <class T, class Dims, tracer X>
constexpr auto parameter(X const& x) {
  return spread_over(Dims{}, to_dtype<T>(x));
}
template <int... D, tracer X>
constexpr auto spread_over(dims<D...>, X const& x) {
  return broadcast_to<D...>(x);
}

template <class T, class Dims>
struct truncated_normal_body {
  static constexpr std::string_view name = "_truncated_normal";
  template <tracer A, tracer B>
  constexpr auto operator()(expr<prng_key> const& key, A const& lower, B const& upper) const {
    auto const low = to_dtype<T>(lower);
    auto const high = to_dtype<T>(upper);
    auto const a = record_unary<prim::erf>(plain_binary<prim::div>(low, real_literal<T>(sqrt_of_2)));
    auto const b = record_unary<prim::erf>(plain_binary<prim::div>(high, real_literal<T>(sqrt_of_2)));
    auto const u = uniform_of_key<1, T, sample_dims<Dims, A, B>>(key, a, b);
    auto const x = plain_binary<prim::mul>(real_literal<T>(sqrt_of_2), record_unary<prim::erf_inv>(u));
    T const infinity = convert_number<T>(std::numeric_limits<double>::infinity()),
            below = convert_number<T>(-std::numeric_limits<double>::infinity());
    return clip(x, plain_binary<prim::nextafter>(low, literal<T>(infinity)), plain_binary<prim::nextafter>(high, literal<T>(below)));
  }
};
template <class T, class Dims>
struct lognormal_op {
  template <operand K, operand S>
  constexpr auto operator()(K const& key, S const& sigma) const {
    auto const scale = to_dtype<T>(sigma);
    return exp(multiply(normal_of_key<T, sample_dims<Dims, S>>(typed_key(key)), scale));
  }
};
template <class T, class Dims>
struct rayleigh_body {
  static constexpr std::string_view name = "_rayleigh";
  template <tracer S>
  constexpr auto operator()(expr<prng_key> const& key, S const& scale) const {
    using shape = sample_dims<Dims, S>;
    auto const u = unit_uniform<T, shape>(key);
    return plain_binary<prim::mul>(parameter<T, shape>(scale), sqrt(plain_binary<prim::mul>(log(u), -2)));
  }
};
template <class T, class Dims>
struct weibull_min_body {
  static constexpr std::string_view name = "_weibull_min";
  template <tracer S, tracer C>
  constexpr auto operator()(expr<prng_key> const& key, S const& scale, C const& concentration) const {
    auto const u = unit_uniform<T, sample_dims<Dims, S, C>>(key);
    return multiply(power(-log1p(-u), divide(1.0f, to_dtype<T>(concentration))), to_dtype<T>(scale));
  }
};
template <class T, class Dims>
struct pareto_body {
  static constexpr std::string_view name = "_pareto";
  template <tracer B>
  constexpr auto operator()(expr<prng_key> const& key, B const& b) const {
    auto const shape = to_dtype<T>(b);
    return exp(divide(exponential_of_key<T, sample_dims<Dims, B>>(key), shape));
  }
};
template <class T, class Dims>
struct triangular_op {
  template <operand K, operand A, operand M, operand B>
  constexpr auto operator()(K const& key, A const& left, M const& mode, B const& right) const {
    using shape = sample_dims<Dims, A, M, B>;
    auto const a = parameter<T, shape>(as_traced(left));
    auto const b = parameter<T, shape>(as_traced(right));
    auto const m = parameter<T, shape>(as_traced(mode));
    auto const at_mode = (m - a) / (b - a);
    auto const u = unit_uniform<T, shape>(typed_key(key));
    auto const below = a + sqrt(u * (b - a) * (m - a));
    auto const above = b - sqrt((1 - u) * (b - a) * (b - m));
    return select(u < at_mode, below, above);
  }
};
template <class T, class Dims>
struct wald_body {
  static constexpr std::string_view name = "_wald";
  template <tracer M>
  constexpr auto operator()(expr<prng_key> const& key, M const& mean) const {
    using shape = sample_dims<Dims, M>;
    auto const keys = split_key<1, 2>(key);
    auto const m = parameter<T, shape>(mean);
    auto const v = normal_of_key<T, shape>(key_at<0>(keys));
    auto const z = unit_uniform<T, shape>(key_at<1>(keys));
    auto const y = integer_pow<2>(v);
    auto const squared = integer_pow<2>(m);
    auto const root = sqrt(4 * m * y + squared * integer_pow<2>(y));
    auto const x = m + squared * y / 2 - m / 2 * root;
    return select(z <= m / (m + x), x, squared / x);
  }
};

template <class Dims, class... X>
constexpr bool check_parameters() {
  static_assert(samples_fit<Dims, X...>, "exprax: random: the shapes of the parameters must broadcast to the shape of the samples");
  return samples_fit<Dims, X...>;
}

}  // namespace detail

namespace random {

// Normal numbers between lower and upper: [Dims...], or the shape to which the parameters broadcast; default_float if no dtype is given.
// Refused: a dtype that is not floating, parameters that do not broadcast to Dims (jax.random.truncated_normal).
template <class T, int... Dims, array_like Key, array_like A, array_like B>
constexpr auto truncated_normal(Key const& key, A const& lower, B const& upper) {
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, A, B>())
    return detail::with_key<detail::named_random_op<detail::truncated_normal_body<T, detail::dims<Dims...>>>>(key, lower, upper);
}
template <int... Dims, array_like Key, array_like A, array_like B>
constexpr auto truncated_normal(Key const& key, A const& lower, B const& upper) {
  return truncated_normal<default_float, Dims...>(key, lower, upper);
}
// exp of normal numbers of standard deviation sigma; shape, dtype and errors as of truncated_normal (jax.random.lognormal).
template <class T, int... Dims, array_like Key, array_like S>
constexpr auto lognormal(Key const& key, S const& sigma) {
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, S>())
    return detail::with_key<detail::lognormal_op<T, detail::dims<Dims...>>>(key, sigma);
}
template <int... Dims, array_like Key, array_like S>
constexpr auto lognormal(Key const& key, S const& sigma) {
  return lognormal<default_float, Dims...>(key, sigma);
}
// Of density x / s^2 exp(-x^2 / (2 s^2)), s the scale; shape, dtype and errors as of truncated_normal (jax.random.rayleigh).
template <class T, int... Dims, array_like Key, array_like S>
constexpr auto rayleigh(Key const& key, S const& scale) {
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, S>())
    return detail::with_key<detail::named_random_op<detail::rayleigh_body<T, detail::dims<Dims...>>>>(key, scale);
}
template <int... Dims, array_like Key, array_like S>
constexpr auto rayleigh(Key const& key, S const& scale) {
  return rayleigh<default_float, Dims...>(key, scale);
}
// Of distribution function 1 - exp(-(x / s)^c), s the scale, c the concentration; shape, dtype and errors as of truncated_normal
// (jax.random.weibull_min).
template <class T, int... Dims, array_like Key, array_like S, array_like C>
constexpr auto weibull_min(Key const& key, S const& scale, C const& concentration) {
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, S, C>())
    return detail::with_key<detail::named_random_op<detail::weibull_min_body<T, detail::dims<Dims...>>>>(key, scale, concentration);
}
template <int... Dims, array_like Key, array_like S, array_like C>
constexpr auto weibull_min(Key const& key, S const& scale, C const& concentration) {
  return weibull_min<default_float, Dims...>(key, scale, concentration);
}
// Of density b / x^(b + 1), x > 1; shape, dtype and errors as of truncated_normal (jax.random.pareto).
template <class T, int... Dims, array_like Key, array_like B>
constexpr auto pareto(Key const& key, B const& b) {
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, B>())
    return detail::with_key<detail::named_random_op<detail::pareto_body<T, detail::dims<Dims...>>>>(key, b);
}
template <int... Dims, array_like Key, array_like B>
constexpr auto pareto(Key const& key, B const& b) {
  return pareto<default_float, Dims...>(key, b);
}
// Of a density that is a triangle over left, mode, right; shape, dtype and errors as of truncated_normal (jax.random.triangular).
template <class T, int... Dims, array_like Key, array_like A, array_like M, array_like B>
constexpr auto triangular(Key const& key, A const& left, M const& mode, B const& right) {
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, A, M, B>())
    return detail::with_key<detail::triangular_op<T, detail::dims<Dims...>>>(key, left, mode, right);
}
template <int... Dims, array_like Key, array_like A, array_like M, array_like B>
constexpr auto triangular(Key const& key, A const& left, M const& mode, B const& right) {
  return triangular<default_float, Dims...>(key, left, mode, right);
}
// Of the inverse Gaussian distribution of this mean and scale 1; shape, dtype and errors as of truncated_normal (jax.random.wald).
template <class T, int... Dims, array_like Key, array_like M>
constexpr auto wald(Key const& key, M const& mean) {
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, M>())
    return detail::with_key<detail::named_random_op<detail::wald_body<T, detail::dims<Dims...>>>>(key, mean);
}
template <int... Dims, array_like Key, array_like M>
constexpr auto wald(Key const& key, M const& mean) {
  return wald<default_float, Dims...>(key, mean);
}

}  // namespace random

}  // namespace exprax
