// SPDX-License-Identifier: BSL-1.0
// Activations of neural networks, element by element, and glu (jax.nn). Formulas and jaxprs are JAX's; integers become floats where the
// formula needs them.
#pragma once

#include <exprax/api/derivatives/custom_jvp.hpp>
#include <exprax/numpy/elementwise/float_pairs.hpp>
#include <exprax/numpy/elementwise/transcendental.hpp>
#include <exprax/numpy/shape/splitting.hpp>

namespace exprax {

namespace nn {

template <bool On>
struct approximate_t {};
// gelu: with tanh in place of erf, the default; approximate<false>: exactly.
template <bool On>
inline constexpr approximate_t<On> approximate{};

}  // namespace nn

namespace detail {

// Body::name is that of the jit equation.
template <class Body>
struct nn_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    return named_call<Body>(Body::name, x...);
  }
};
template <class Body, class... X>
constexpr auto nn_call(X const&... x) {
  return apply<nn_op<Body>>(x...);
}

struct relu_body {
  static constexpr std::string_view name = "relu";
  constexpr auto operator()(auto const& x) const { return maximum(x, 0); }
};
struct relu_function {
  constexpr auto operator()(auto const& x) const { return named_call<relu_body>(relu_body::name, x); }
};
template <>
inline constexpr std::string_view function_name<relu_function> = "relu";
// At 0 the derivative is 0, not the half of maximum.
struct relu_rule {
  template <class X, class T>
  constexpr auto operator()(std::tuple<X> const& primals, std::tuple<T> const& tangents) const {
    X const& x = std::get<0>(primals);
    T const& t = std::get<0>(tangents);
    auto const y = relu_body{}(x);
    if constexpr (is_inexact(T::type.type)) return std::tuple(y, detail::bind<T>(prim::select_n, {}, greater(x, 0), zeros_like(t), t));
    else return std::tuple(y, t);
  }
};
struct relu_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return with_custom_jvp<relu_function, relu_rule>{}.record(x);
  }
};

struct relu6_body {
  static constexpr std::string_view name = "relu6";
  constexpr auto operator()(auto const& x) const { return minimum(maximum(x, 0), 6.0f); }
};
struct squareplus_body {
  static constexpr std::string_view name = "squareplus";
  constexpr auto operator()(auto const& x, auto const& b) const { return (x + sqrt(square(x) + b)) / 2; }
};
struct softplus_body {
  static constexpr std::string_view name = "softplus";
  constexpr auto operator()(auto const& x) const { return logaddexp(x, 0); }
};
struct sparse_plus_body {
  static constexpr std::string_view name = "sparse_plus";
  constexpr auto operator()(auto const& x) const { return where(x <= -1.0f, 0.0f, where(x >= 1.0f, x, integer_pow<2>(x + 1.0f) / 4)); }
};
struct soft_sign_body {
  static constexpr std::string_view name = "soft_sign";
  constexpr auto operator()(auto const& x) const { return x / (abs(x) + 1); }
};
struct sparse_sigmoid_body {
  static constexpr std::string_view name = "sparse_sigmoid";
  constexpr auto operator()(auto const& x) const { return 0.5f * clip(x + 1.0f, 0.0f, 2.0f); }
};
struct silu_body {
  static constexpr std::string_view name = "silu";
  constexpr auto operator()(auto const& x) const { return x * logistic(x); }
};
struct mish_body {
  static constexpr std::string_view name = "mish";
  constexpr auto operator()(auto const& x) const { return x * tanh(nn_call<softplus_body>(x)); }
};
struct log_sigmoid_body {
  static constexpr std::string_view name = "log_sigmoid";
  constexpr auto operator()(auto const& x) const { return -nn_call<softplus_body>(-x); }
};
struct elu_body {
  static constexpr std::string_view name = "elu";
  constexpr auto operator()(auto const& x, auto const& alpha) const { return where(x > 0, x, alpha * expm1(where(x > 0, 0.0f, x))); }
};
struct leaky_relu_body {
  static constexpr std::string_view name = "leaky_relu";
  constexpr auto operator()(auto const& x, auto const& slope) const { return where(x >= 0, x, slope * x); }
};
struct hard_tanh_body {
  static constexpr std::string_view name = "hard_tanh";
  constexpr auto operator()(auto const& x) const { return where(x > 1, 1, where(x < -1, -1, x)); }
};
struct celu_body {
  static constexpr std::string_view name = "celu";
  constexpr auto operator()(auto const& x, auto const& alpha) const { return maximum(x, 0.0f) + alpha * expm1(minimum(x, 0.0f) / alpha); }
};
struct selu_body {
  static constexpr std::string_view name = "selu";
  constexpr auto operator()(auto const& x) const { return 1.0507009873554805 * nn_call<elu_body>(x, 1.6732632423543772); }
};
struct hard_sigmoid_body {
  static constexpr std::string_view name = "hard_sigmoid";
  constexpr auto operator()(auto const& x) const { return nn_call<relu6_body>(x + 3.0f) / 6.0f; }
};
struct hard_silu_body {
  static constexpr std::string_view name = "hard_silu";
  constexpr auto operator()(auto const& x) const { return x * nn_call<hard_sigmoid_body>(x); }
};
template <bool Approximate>
struct gelu_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = inexact_t<type_in<X>>;
    auto const a = as_expr<type>(x);
    using scalar_type = strong_t<type>;
    if constexpr (Approximate) {
      auto const root = literal<scalar_type>(convert_number<scalar_type>(0.7978845608028654));  // sqrt(2 / pi)
      return a * (0.5f * (1.0f + tanh(root * (a + 0.044715 * integer_pow<3>(a)))));
    } else {
      auto const root = literal<scalar_type>(convert_number<scalar_type>(0.7071067811865476));
      return 0.5f * a * erfc(-a * root);
    }
  }
};

template <int Axis>
struct glu_body {
  static constexpr std::string_view name = "glu";
  constexpr auto operator()(auto const& x) const {
    auto const halves = split<2>(x, axis<Axis>);
    return std::get<0>(halves) * logistic(std::get<1>(halves));
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, int... Axes>
inline constexpr bool has_such_axes = normal_axes<Axes...>(rank_in<X>).valid;

template <class X, int Axis>
inline constexpr bool halves_evenly = has_such_axes<X, Axis> && aval_in<X>.dims[normal_axis(Axis, rank_in<X>)] % 2 == 0;

}  // namespace detail

namespace nn {

using exprax::sigmoid;
using exprax::tanh;

// x itself (jax.nn.identity).
template <array_like X>
constexpr auto identity(X const& x) {
  return x;
}
// max(x, 0). Shape and dtype of x (jax.nn.relu).
template <array_like X>
constexpr auto relu(X const& x) {
  return detail::apply<detail::relu_op>(x);
}
// min(max(x, 0), 6). Shape of x; integers become float32 (jax.nn.relu6).
template <array_like X>
constexpr auto relu6(X const& x) {
  return detail::nn_call<detail::relu6_body>(x);
}
// x, or slope x below 0. Shapes broadcast; integers become float32 (jax.nn.leaky_relu).
template <array_like X, array_like S = double>
constexpr auto leaky_relu(X const& x, S const& negative_slope = 1e-2) {
  return detail::nn_call<detail::leaky_relu_body>(x, negative_slope);
}
// log(1 + exp(x)). Shape of x; integers become float32 (jax.nn.softplus).
template <array_like X>
constexpr auto softplus(X const& x) {
  return detail::nn_call<detail::softplus_body>(x);
}
// 0 below -1, x above 1, (x + 1)^2 / 4 between. Shape of x; integers become float32 (jax.nn.sparse_plus).
template <array_like X>
constexpr auto sparse_plus(X const& x) {
  return detail::nn_call<detail::sparse_plus_body>(x);
}
// (x + sqrt(x^2 + b)) / 2. Shapes broadcast; integers become float32 (jax.nn.squareplus).
template <array_like X, array_like B = int>
constexpr auto squareplus(X const& x, B const& b = 4) {
  return detail::nn_call<detail::squareplus_body>(x, b);
}
// x / (|x| + 1). Shape of x; integers become float32 (jax.nn.soft_sign).
template <array_like X>
constexpr auto soft_sign(X const& x) {
  return detail::nn_call<detail::soft_sign_body>(x);
}
// clip(x + 1, 0, 2) / 2. Shape of x; integers become float32 (jax.nn.sparse_sigmoid).
template <array_like X>
constexpr auto sparse_sigmoid(X const& x) {
  return detail::nn_call<detail::sparse_sigmoid_body>(x);
}
// x sigmoid(x). Shape of x; integers become float32 (jax.nn.silu, jax.nn.swish).
template <array_like X>
constexpr auto silu(X const& x) {
  return detail::nn_call<detail::silu_body>(x);
}
template <array_like X>
constexpr auto swish(X const& x) {
  return silu(x);
}
// x tanh(softplus(x)). Shape of x; integers become float32 (jax.nn.mish).
template <array_like X>
constexpr auto mish(X const& x) {
  return detail::nn_call<detail::mish_body>(x);
}
// log(sigmoid(x)). Shape of x; integers become float32 (jax.nn.log_sigmoid).
template <array_like X>
constexpr auto log_sigmoid(X const& x) {
  return detail::nn_call<detail::log_sigmoid_body>(x);
}
// x, or alpha (exp(x) - 1) below 0. Shapes broadcast; integers become float32 (jax.nn.elu).
template <array_like X, array_like A = float>
constexpr auto elu(X const& x, A const& alpha = 1.0f) {
  return detail::nn_call<detail::elu_body>(x, alpha);
}
// max(x, 0) + alpha (exp(min(x, 0) / alpha) - 1). Shapes broadcast; integers become float32 (jax.nn.celu).
template <array_like X, array_like A = float>
constexpr auto celu(X const& x, A const& alpha = 1.0f) {
  return detail::nn_call<detail::celu_body>(x, alpha);
}
// elu, scaled so that it keeps mean and variance. Shape of x; integers become float32 (jax.nn.selu).
template <array_like X>
constexpr auto selu(X const& x) {
  return detail::nn_call<detail::selu_body>(x);
}
// x limited to [-1, 1]. Shape and dtype of x (jax.nn.hard_tanh).
template <array_like X>
constexpr auto hard_tanh(X const& x) {
  return detail::nn_call<detail::hard_tanh_body>(x);
}
// relu6(x + 3) / 6. Shape of x; integers become float32 (jax.nn.hard_sigmoid).
template <array_like X>
constexpr auto hard_sigmoid(X const& x) {
  return detail::nn_call<detail::hard_sigmoid_body>(x);
}
// x hard_sigmoid(x). Shape of x; integers become float32 (jax.nn.hard_silu, jax.nn.hard_swish).
template <array_like X>
constexpr auto hard_silu(X const& x) {
  return detail::nn_call<detail::hard_silu_body>(x);
}
template <array_like X>
constexpr auto hard_swish(X const& x) {
  return hard_silu(x);
}
// x times the normal distribution function at x, with tanh in place of erf unless approximate<false> is given. Shape of x; integers become
// float32 (jax.nn.gelu).
template <array_like X, bool Approximate = true>
constexpr auto gelu(X const& x, approximate_t<Approximate> = {}) {
  return detail::apply<detail::gelu_op<Approximate>>(x);
}
// The first half along axis<k> (the last one) times the sigmoid of the second: [..., 2 n] -> [..., n]; integers become float32. Refused:
// an axis out of range or of odd size (jax.nn.glu).
template <array_like X, int Axis = -1>
constexpr auto glu(X const& x, axis_t<Axis> = {}) {
  static_assert(detail::halves_evenly<X, Axis>, "exprax: nn::glu: axis size must be divisible by 2");
  if constexpr (detail::halves_evenly<X, Axis>) return detail::nn_call<detail::glu_body<Axis>>(x);
  else return x;
}

}  // namespace nn

}  // namespace exprax
