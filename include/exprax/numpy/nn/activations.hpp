// SPDX-License-Identifier: BSL-1.0
// Activations of neural networks, element by element, and glu (jax.nn). Formulas and jaxprs are JAX's; integers become floats where the
// formula needs them.
// Longer than 300 lines: many functions of a few lines each.
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
inline constexpr struct identity_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return x;
  }
} identity{};
// max(x, 0). Shape and dtype of x (jax.nn.relu).
inline constexpr struct relu_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::relu_op>(x);
  }
} relu{};
// min(max(x, 0), 6). Shape of x; integers become float32 (jax.nn.relu6).
inline constexpr struct relu6_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::relu6_body>(x);
  }
} relu6{};
// x, or slope x below 0. Shapes broadcast; integers become float32 (jax.nn.leaky_relu).
inline constexpr struct leaky_relu_function {
  template <array_like X, array_like S = double>
  constexpr auto operator()(X const& x, S const& negative_slope = 1e-2) const {
    return detail::nn_call<detail::leaky_relu_body>(x, negative_slope);
  }
} leaky_relu{};
// log(1 + exp(x)). Shape of x; integers become float32 (jax.nn.softplus).
inline constexpr struct softplus_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::softplus_body>(x);
  }
} softplus{};
// 0 below -1, x above 1, (x + 1)^2 / 4 between. Shape of x; integers become float32 (jax.nn.sparse_plus).
inline constexpr struct sparse_plus_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::sparse_plus_body>(x);
  }
} sparse_plus{};
// (x + sqrt(x^2 + b)) / 2. Shapes broadcast; integers become float32 (jax.nn.squareplus).
inline constexpr struct squareplus_function {
  template <array_like X, array_like B = int>
  constexpr auto operator()(X const& x, B const& b = 4) const {
    return detail::nn_call<detail::squareplus_body>(x, b);
  }
} squareplus{};
// x / (|x| + 1). Shape of x; integers become float32 (jax.nn.soft_sign).
inline constexpr struct soft_sign_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::soft_sign_body>(x);
  }
} soft_sign{};
// clip(x + 1, 0, 2) / 2. Shape of x; integers become float32 (jax.nn.sparse_sigmoid).
inline constexpr struct sparse_sigmoid_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::sparse_sigmoid_body>(x);
  }
} sparse_sigmoid{};
// x sigmoid(x). Shape of x; integers become float32 (jax.nn.silu, jax.nn.swish).
inline constexpr struct silu_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::silu_body>(x);
  }
} silu{};
inline constexpr struct swish_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return silu(x);
  }
} swish{};
// x tanh(softplus(x)). Shape of x; integers become float32 (jax.nn.mish).
inline constexpr struct mish_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::mish_body>(x);
  }
} mish{};
// log(sigmoid(x)). Shape of x; integers become float32 (jax.nn.log_sigmoid).
inline constexpr struct log_sigmoid_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::log_sigmoid_body>(x);
  }
} log_sigmoid{};
// x, or alpha (exp(x) - 1) below 0. Shapes broadcast; integers become float32 (jax.nn.elu).
inline constexpr struct elu_function {
  template <array_like X, array_like A = float>
  constexpr auto operator()(X const& x, A const& alpha = 1.0f) const {
    return detail::nn_call<detail::elu_body>(x, alpha);
  }
} elu{};
// max(x, 0) + alpha (exp(min(x, 0) / alpha) - 1). Shapes broadcast; integers become float32 (jax.nn.celu).
inline constexpr struct celu_function {
  template <array_like X, array_like A = float>
  constexpr auto operator()(X const& x, A const& alpha = 1.0f) const {
    return detail::nn_call<detail::celu_body>(x, alpha);
  }
} celu{};
// elu, scaled so that it keeps mean and variance. Shape of x; integers become float32 (jax.nn.selu).
inline constexpr struct selu_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::selu_body>(x);
  }
} selu{};
// x limited to [-1, 1]. Shape and dtype of x (jax.nn.hard_tanh).
inline constexpr struct hard_tanh_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::hard_tanh_body>(x);
  }
} hard_tanh{};
// relu6(x + 3) / 6. Shape of x; integers become float32 (jax.nn.hard_sigmoid).
inline constexpr struct hard_sigmoid_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::hard_sigmoid_body>(x);
  }
} hard_sigmoid{};
// x hard_sigmoid(x). Shape of x; integers become float32 (jax.nn.hard_silu, jax.nn.hard_swish).
inline constexpr struct hard_silu_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::nn_call<detail::hard_silu_body>(x);
  }
} hard_silu{};
inline constexpr struct hard_swish_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return hard_silu(x);
  }
} hard_swish{};
// x times the normal distribution function at x, with tanh in place of erf unless approximate<false> is given. Shape of x; integers become
// float32 (jax.nn.gelu).
inline constexpr struct gelu_function {
  template <array_like X, bool Approximate = true>
  constexpr auto operator()(X const& x, approximate_t<Approximate> = {}) const {
    return detail::apply<detail::gelu_op<Approximate>>(x);
  }
} gelu{};
// The first half along axis<k> (the last one) times the sigmoid of the second: [..., 2 n] -> [..., n]; integers become float32. Refused:
// an axis out of range or of odd size (jax.nn.glu).
inline constexpr struct glu_function {
  template <array_like X, int Axis = -1>
  constexpr auto operator()(X const& x, axis_t<Axis> = {}) const {
    static_assert(detail::halves_evenly<X, Axis>, "exprax: nn::glu: axis size must be divisible by 2");
    if constexpr (detail::halves_evenly<X, Axis>) return detail::nn_call<detail::glu_body<Axis>>(x);
    else return x;
  }
} glu{};

}  // namespace nn

}  // namespace exprax
