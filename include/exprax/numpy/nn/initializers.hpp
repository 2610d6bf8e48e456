// SPDX-License-Identifier: BSL-1.0
// Weights to begin with (jax.nn.initializers), as functions of a key and a shape: glorot_uniform<3, 4>(key), he_normal<double, 3, 4>(key).
// The last axis counts outputs, the one before it inputs, the axes before those are a receptive field.
#pragma once

#include <exprax/numpy/indexing/update.hpp>
#include <exprax/numpy/random/random_linalg.hpp>
#include <exprax/numpy/random/random_scaled.hpp>

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

// Zeros and ones of shape Dims, with a key that is not used: zeros<3, 4>(key), ones<double, 3, 4>(key); default_float if no dtype is given
// (jax.nn.initializers.zeros, ones).
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
// Normal numbers of this standard deviation, shape Dims; default_float if no dtype is given (jax.nn.initializers.normal).
template <class T, int... Dims, array_like K, scalar S = double>
constexpr auto normal(K const& key, S deviation = 1e-2) {
  return multiply(random::normal<T, Dims...>(key), detail::convert_number<T>(deviation));
}
template <int... Dims, array_like K, scalar S = double>
constexpr auto normal(K const& key, S deviation = 1e-2) {
  return normal<default_float, Dims...>(key, deviation);
}
// Uniform numbers in [0, scale), shape Dims; default_float if no dtype is given (jax.nn.initializers.uniform).
template <class T, int... Dims, array_like K, scalar S = double>
constexpr auto uniform(K const& key, S scale = 1e-2) {
  return multiply(random::uniform<T, Dims...>(key), detail::convert_number<T>(scale));
}
template <int... Dims, array_like K, scalar S = double>
constexpr auto uniform(K const& key, S scale = 1e-2) {
  return uniform<default_float, Dims...>(key, scale);
}

// Every element is value, shape Dims; default_float if no dtype is given (jax.nn.initializers.constant).
template <class T, int... Dims, array_like K, scalar S>
constexpr auto constant(K const& key, S value) {
  return multiply(ones<T, Dims...>(key), detail::convert_number<T>(value));
}
template <int... Dims, array_like K, scalar S>
constexpr auto constant(K const& key, S value) {
  return constant<default_float, Dims...>(key, value);
}
// Normal numbers between lower and upper, times the deviation, shape Dims; default_float if no dtype is given
// (jax.nn.initializers.truncated_normal).
template <class T, int... Dims, array_like K, scalar S = double>
constexpr auto truncated_normal(K const& key, S deviation = 1e-2, S lower = -2, S upper = 2) {
  return multiply(random::truncated_normal<T, Dims...>(key, lower, upper), detail::convert_number<T>(deviation));
}
template <int... Dims, array_like K, scalar S = double>
constexpr auto truncated_normal(K const& key, S deviation = 1e-2, S lower = -2, S upper = 2) {
  return truncated_normal<default_float, Dims...>(key, deviation, lower, upper);
}

// What variance_scaling divides by: the inputs, the outputs, or a mean of both; which distribution; and axes other than the last two.
enum class fan_mode { fan_in, fan_out, fan_avg, fan_geo_avg };
enum class distribution { truncated_normal, normal, uniform };
template <int... A>
struct in_axis_t {};
template <int... A>
inline constexpr in_axis_t<A...> in_axis{};
template <int... A>
struct out_axis_t {};
template <int... A>
inline constexpr out_axis_t<A...> out_axis{};
template <int... A>
struct batch_axis_t {};
template <int... A>
inline constexpr batch_axis_t<A...> batch_axis{};

// Weights of variance scale / fan, [Dims...] of dtype T: variance_scaling<fan_mode::fan_in, distribution::normal, float, 3, 4>(key, 2.0),
// with in_axis<...>, out_axis<...>, batch_axis<...>. Refused: fewer than two axes if no in_axis is given
// (jax.nn.initializers.variance_scaling).
template <fan_mode Mode, distribution Form, class T, int... Dims, array_like K, int... In, int... Out, int... Batch>
constexpr auto variance_scaling(K const& key, double scale, in_axis_t<In...>, out_axis_t<Out...> = {}, batch_axis_t<Batch...> = {}) {
  constexpr int sizes[] = {Dims..., 1}, rank = static_cast<int>(sizeof...(Dims));
  constexpr auto size_of = [](int axis) { return static_cast<double>(sizes[axis < 0 ? axis + rank : axis]); };
  constexpr double in = (1.0 * ... * size_of(In)), out = (1.0 * ... * size_of(Out)), batch = (1.0 * ... * size_of(Batch));
  constexpr double field = (1.0 * ... * Dims) / in / out / batch, fan_in = in * field, fan_out = out * field;
  double const fan = Mode == fan_mode::fan_in    ? fan_in
                     : Mode == fan_mode::fan_out ? fan_out
                     : Mode == fan_mode::fan_avg ? (fan_in + fan_out) / 2
                                                 : detail::root_of(fan_in * fan_out);
  if constexpr (Form == distribution::normal)
    return multiply(random::normal<T, Dims...>(key), detail::convert_number<T>(detail::root_of(scale / fan)));
  else
    return detail::scaled_weights < T, Form == distribution::uniform ? detail::spread_as::uniform : detail::spread_as::truncated_normal,
           Dims... > (key, scale / fan);
}
template <fan_mode Mode, distribution Form, class T, int... Dims, array_like K>
constexpr auto variance_scaling(K const& key, double scale) {
  static_assert(sizeof...(Dims) >= 2,
                "exprax: nn::initializers: can't compute input and output sizes: need two axes or more, or in_axis<...>");
  return variance_scaling<Mode, Form, T, Dims...>(key, scale, in_axis<-2>, out_axis<-1>);
}

// Columns (or rows, if there are fewer) that are orthogonal, times scale; the axes before the last one count as rows. [Dims...];
// default_float if no dtype is given. Refused: fewer than two axes (jax.nn.initializers.orthogonal).
template <class T, int... Dims, array_like K>
constexpr auto orthogonal(K const& key, double scale = 1) {
  constexpr int sizes[] = {Dims..., 1}, rank = static_cast<int>(sizeof...(Dims)), columns = sizes[rank > 0 ? rank - 1 : 0];
  constexpr int rows = columns > 0 ? (1 * ... * Dims) / columns : 0;
  static_assert(rank >= 2, "exprax: nn::initializers: orthogonal requires a shape of two axes or more");
  if constexpr (rows == 0) {
    return zeros<T, Dims...>(key);
  } else {
    using op = detail::named_random_op<
        detail::orthogonal_body<T, detail::dims<(rows > columns ? rows : columns), (rows > columns ? columns : rows)>>>;
    auto const q = detail::with_key<op>(key);
    auto const factor = detail::convert_number<T>(scale);
    if constexpr (rows < columns) return multiply(exprax::reshape<Dims...>(exprax::transpose(q)), factor);
    else return multiply(exprax::reshape<Dims...>(q), factor);
  }
}
template <int... Dims, array_like K>
constexpr auto orthogonal(K const& key, double scale = 1) {
  return orthogonal<default_float, Dims...>(key, scale);
}

// Uniform numbers of variance 2 / (in + out), [Dims...]; default_float if no dtype is given. Refused: fewer than two axes
// (jax.nn.initializers.glorot_uniform).
template <class T, int... Dims, array_like K>
constexpr auto glorot_uniform(K const& key) {
  return detail::initial_weights<T, detail::fan::average, detail::spread_as::uniform, Dims...>(key, 1);
}
template <int... Dims, array_like K>
constexpr auto glorot_uniform(K const& key) {
  return glorot_uniform<default_float, Dims...>(key);
}
// The same from a normal distribution, cut at two deviations (jax.nn.initializers.glorot_normal).
template <class T, int... Dims, array_like K>
constexpr auto glorot_normal(K const& key) {
  return detail::initial_weights<T, detail::fan::average, detail::spread_as::truncated_normal, Dims...>(key, 1);
}
template <int... Dims, array_like K>
constexpr auto glorot_normal(K const& key) {
  return glorot_normal<default_float, Dims...>(key);
}
// Uniform numbers of variance 1 / in, [Dims...]; default_float if no dtype is given. Refused: fewer than two axes
// (jax.nn.initializers.lecun_uniform).
template <class T, int... Dims, array_like K>
constexpr auto lecun_uniform(K const& key) {
  return detail::initial_weights<T, detail::fan::in, detail::spread_as::uniform, Dims...>(key, 1);
}
template <int... Dims, array_like K>
constexpr auto lecun_uniform(K const& key) {
  return lecun_uniform<default_float, Dims...>(key);
}
// The same from a normal distribution, cut at two deviations (jax.nn.initializers.lecun_normal).
template <class T, int... Dims, array_like K>
constexpr auto lecun_normal(K const& key) {
  return detail::initial_weights<T, detail::fan::in, detail::spread_as::truncated_normal, Dims...>(key, 1);
}
template <int... Dims, array_like K>
constexpr auto lecun_normal(K const& key) {
  return lecun_normal<default_float, Dims...>(key);
}
// Uniform numbers of variance 2 / in, [Dims...]; default_float if no dtype is given. Refused: fewer than two axes
// (jax.nn.initializers.he_uniform).
template <class T, int... Dims, array_like K>
constexpr auto he_uniform(K const& key) {
  return detail::initial_weights<T, detail::fan::in, detail::spread_as::uniform, Dims...>(key, 2);
}
template <int... Dims, array_like K>
constexpr auto he_uniform(K const& key) {
  return he_uniform<default_float, Dims...>(key);
}
// The same from a normal distribution, cut at two deviations (jax.nn.initializers.he_normal).
template <class T, int... Dims, array_like K>
constexpr auto he_normal(K const& key) {
  return detail::initial_weights<T, detail::fan::in, detail::spread_as::truncated_normal, Dims...>(key, 2);
}
template <int... Dims, array_like K>
constexpr auto he_normal(K const& key) {
  return he_normal<default_float, Dims...>(key);
}

// Other names: xavier_uniform and xavier_normal for glorot_..., kaiming_uniform and kaiming_normal for he_... (jax.nn.initializers).
template <class T, int... Dims, array_like K>
constexpr auto xavier_uniform(K const& key) {
  return glorot_uniform<T, Dims...>(key);
}
template <int... Dims, array_like K>
constexpr auto xavier_uniform(K const& key) {
  return glorot_uniform<default_float, Dims...>(key);
}
template <class T, int... Dims, array_like K>
constexpr auto xavier_normal(K const& key) {
  return glorot_normal<T, Dims...>(key);
}
template <int... Dims, array_like K>
constexpr auto xavier_normal(K const& key) {
  return glorot_normal<default_float, Dims...>(key);
}
template <class T, int... Dims, array_like K>
constexpr auto kaiming_uniform(K const& key) {
  return he_uniform<T, Dims...>(key);
}
template <int... Dims, array_like K>
constexpr auto kaiming_uniform(K const& key) {
  return he_uniform<default_float, Dims...>(key);
}
template <class T, int... Dims, array_like K>
constexpr auto kaiming_normal(K const& key) {
  return he_normal<T, Dims...>(key);
}
template <int... Dims, array_like K>
constexpr auto kaiming_normal(K const& key) {
  return he_normal<default_float, Dims...>(key);
}

}  // namespace nn::initializers

}  // namespace exprax
