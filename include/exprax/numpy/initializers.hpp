// SPDX-License-Identifier: BSL-1.0
// Weights to begin with (jax.nn.initializers), as functions of a key and a shape: glorot_uniform<3, 4>(key), he_normal<double, 3, 4>(key).
// The last axis counts outputs, the one before it inputs, the axes before those are a receptive field.
#pragma once

#include <exprax/numpy/random_scaled.hpp>

namespace exprax {

namespace detail {

enum class fan { in, out, average };
enum class spread_as { uniform, truncated_normal };

constexpr double root_of(double x) {
  double r = x > 1 ? x : 1;
  for (int i = 0; i < 64; ++i) r = 0.5 * (r + x / r);
  return r;
}
// jax.nn.initializers.variance_scaling.
template <fan Mode, int... D>
constexpr double variance_of(double scale) {
  constexpr int rank = static_cast<int>(sizeof...(D)), sizes[] = {D...};
  double field = 1;
  for (int i = 0; i < rank - 2; ++i) field *= sizes[i];
  double const in = field * sizes[rank - 2], out = field * sizes[rank - 1];
  return scale / (Mode == fan::in ? in : Mode == fan::out ? out : (in + out) / 2);
}
template <class T, spread_as Form, int... D, class K>
constexpr auto scaled_weights(K const& key, double variance) {
  // A normal distribution that is cut at two deviations has this deviation.
  if constexpr (Form == spread_as::uniform) return multiply(random::uniform<T, D...>(key, -1, 1), convert_number<T>(root_of(3 * variance)));
  else return multiply(random::truncated_normal<T, D...>(key, -2, 2), convert_number<T>(root_of(variance) / 0.87962566103423978));
}
template <class T, fan Mode, spread_as Form, int... D, class K>
constexpr auto initial_weights(K const& key, double scale) {
  static_assert(sizeof...(D) >= 2, "exprax: nn::initializers: need a shape of at least two axes: inputs and outputs");
  if constexpr (sizeof...(D) >= 2 && check_float_dtype<T>()) return scaled_weights<T, Form, D...>(key, variance_of<Mode, D...>(scale));
}

}  // namespace detail

namespace nn::initializers {

template <class T, int... Dims, array_like K>
constexpr auto zeros(K const&) {
  if constexpr (detail::tracer<K>) return exprax::zeros<T, Dims...>();
  else return array<T, Dims...>();
}
template <int... Dims, array_like K>
constexpr auto zeros(K const& key) {
  return zeros<default_float, Dims...>(key);
}
template <class T, int... Dims, array_like K>
constexpr auto ones(K const&) {
  if constexpr (detail::tracer<K>) return exprax::ones<T, Dims...>();
  else return array<T, Dims...>::full(T(1));
}
template <int... Dims, array_like K>
constexpr auto ones(K const& key) {
  return ones<default_float, Dims...>(key);
}
// Normal numbers of this deviation (jax.nn.initializers.normal).
template <class T, int... Dims, array_like K, scalar S = double>
constexpr auto normal(K const& key, S deviation = 1e-2) {
  return multiply(random::normal<T, Dims...>(key), detail::convert_number<T>(deviation));
}
template <int... Dims, array_like K, scalar S = double>
constexpr auto normal(K const& key, S deviation = 1e-2) {
  return normal<default_float, Dims...>(key, deviation);
}
// Uniform numbers in [0, scale) (jax.nn.initializers.uniform).
template <class T, int... Dims, array_like K, scalar S = double>
constexpr auto uniform(K const& key, S scale = 1e-2) {
  return multiply(random::uniform<T, Dims...>(key), detail::convert_number<T>(scale));
}
template <int... Dims, array_like K, scalar S = double>
constexpr auto uniform(K const& key, S scale = 1e-2) {
  return uniform<default_float, Dims...>(key, scale);
}

// Variance 2 / (in + out), uniform (jax.nn.initializers.glorot_uniform).
template <class T, int... Dims, array_like K>
constexpr auto glorot_uniform(K const& key) {
  return detail::initial_weights<T, detail::fan::average, detail::spread_as::uniform, Dims...>(key, 1);
}
template <int... Dims, array_like K>
constexpr auto glorot_uniform(K const& key) {
  return glorot_uniform<default_float, Dims...>(key);
}
// The same, normal, cut at two deviations (jax.nn.initializers.glorot_normal).
template <class T, int... Dims, array_like K>
constexpr auto glorot_normal(K const& key) {
  return detail::initial_weights<T, detail::fan::average, detail::spread_as::truncated_normal, Dims...>(key, 1);
}
template <int... Dims, array_like K>
constexpr auto glorot_normal(K const& key) {
  return glorot_normal<default_float, Dims...>(key);
}
// Variance 1 / in, uniform (jax.nn.initializers.lecun_uniform).
template <class T, int... Dims, array_like K>
constexpr auto lecun_uniform(K const& key) {
  return detail::initial_weights<T, detail::fan::in, detail::spread_as::uniform, Dims...>(key, 1);
}
template <int... Dims, array_like K>
constexpr auto lecun_uniform(K const& key) {
  return lecun_uniform<default_float, Dims...>(key);
}
// The same, normal, cut at two deviations (jax.nn.initializers.lecun_normal).
template <class T, int... Dims, array_like K>
constexpr auto lecun_normal(K const& key) {
  return detail::initial_weights<T, detail::fan::in, detail::spread_as::truncated_normal, Dims...>(key, 1);
}
template <int... Dims, array_like K>
constexpr auto lecun_normal(K const& key) {
  return lecun_normal<default_float, Dims...>(key);
}
// Variance 2 / in, uniform (jax.nn.initializers.he_uniform).
template <class T, int... Dims, array_like K>
constexpr auto he_uniform(K const& key) {
  return detail::initial_weights<T, detail::fan::in, detail::spread_as::uniform, Dims...>(key, 2);
}
template <int... Dims, array_like K>
constexpr auto he_uniform(K const& key) {
  return he_uniform<default_float, Dims...>(key);
}
// The same, normal, cut at two deviations (jax.nn.initializers.he_normal).
template <class T, int... Dims, array_like K>
constexpr auto he_normal(K const& key) {
  return detail::initial_weights<T, detail::fan::in, detail::spread_as::truncated_normal, Dims...>(key, 2);
}
template <int... Dims, array_like K>
constexpr auto he_normal(K const& key) {
  return he_normal<default_float, Dims...>(key);
}

}  // namespace nn::initializers

}  // namespace exprax
