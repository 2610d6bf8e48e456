// SPDX-License-Identifier: BSL-1.0
// Continuous distributions without parameters (jax.random), which transform uniform numbers: normal, exponential, gumbel, laplace,
// logistic, cauchy, maxwell. The formulas are JAX's. The dtype is float if none is given.
#pragma once

#include <exprax/numpy/random/random_bits.hpp>
#include <exprax/numpy/reductions/reductions.hpp>

namespace exprax {

namespace detail {

template <class Dims>
constexpr aval aval_of_dims(dtype t) {
  aval a(t);
  for (int i = 0; i < Dims::rank; ++i) a.dims[a.rank++] = Dims::of[i];
  return a;
}

template <class T>
inline constexpr double epsilon_of = 1.0 / (std::uint64_t{1} << (significand_bits<T> - 1));
// The least normal number.
template <class T>
inline constexpr double least_of = std::is_same_v<T, float16> ? 0x1p-14 : std::is_same_v<T, double> ? 0x1p-1022 : 0x1p-126;
inline constexpr double sqrt_of_2 = 1.4142135623730951;

template <class T>
constexpr expr<T> real_literal(double x) {
  return literal<T>(convert_number<T>(x));
}
// Uniform numbers between two numbers, which are operands of dtype T.
template <class T, class Dims>
constexpr auto uniform_between(expr<prng_key> const& key, double low, double high) {
  return uniform_of_key<1, T, Dims>(key, real_literal<T>(low), real_literal<T>(high));
}
template <class T, class Dims>
constexpr auto unit_uniform(expr<prng_key> const& key) {
  return uniform_of_key<1, T, Dims>(key, 0.0f, 1.0f);
}
// Body::name is that of the jit equation.
template <class Body>
struct named_random_op {
  template <operand K, operand... X>
  constexpr auto operator()(K const& key, X const&... x) const {
    return named_call<Body>(Body::name, typed_key(key), x...);
  }
};

template <int Partitionable, class T, class Dims>
struct normal_real_body {
  static constexpr std::string_view name = "_normal_real";
  constexpr auto operator()(expr<prng_key> const& key) const {
    auto const u = uniform_of_key<Partitionable, T, Dims>(key, real_literal<T>(-1 + epsilon_of<T> / 2), real_literal<T>(1));
    return plain_binary<prim::mul>(real_literal<T>(sqrt_of_2), record_unary<prim::erf_inv>(u));
  }
};
template <int Partitionable, class T, class Dims>
struct normal_body {
  static constexpr std::string_view name = "_normal";
  constexpr auto operator()(expr<prng_key> const& key) const { return named_random_op<normal_real_body<Partitionable, T, Dims>>{}(key); }
};
template <class T, class Dims>
constexpr auto normal_of_key(expr<prng_key> const& key) {
  return named_random_op<normal_body<1, T, Dims>>{}(key);
}

template <int Partitionable, class T, class Dims>
struct exponential_body {
  static constexpr std::string_view name = "_exponential";
  constexpr auto operator()(expr<prng_key> const& key) const {
    auto const u = uniform_of_key<Partitionable, T, Dims>(key, 0.0f, 1.0f);
    return record_unary<prim::neg>(record_unary<prim::log1p>(record_unary<prim::neg>(u)));
  }
};
template <class T, class Dims>
constexpr auto exponential_of_key(expr<prng_key> const& key) {
  return named_random_op<exponential_body<1, T, Dims>>{}(key);
}

// High: with the resolution of two uniform numbers near 0 (JAX's mode="high").
template <int Partitionable, class T, class Dims, bool High>
struct gumbel_body {
  static constexpr std::string_view name = "_gumbel";
  constexpr auto operator()(expr<prng_key> const& key) const {
    if constexpr (High) {
      auto const two = pair_of(key, Dims{});
      auto const high = two(0);
      auto const low = two(1);
      constexpr double epsilon = epsilon_of<T>, least = epsilon * epsilon / 2 > least_of<T> ? epsilon * epsilon / 2 : least_of<T>;
      auto const x = where(high >= 0.5, high, high + epsilon * low + real_literal<T>(least));
      return -log(-log1p(-x));
    } else {
      return -log(-log(uniform_of_key<Partitionable, T, Dims>(key, real_literal<T>(least_of<T>), 1.0f)));
    }
  }

 private:
  template <int... D>
  static constexpr auto pair_of(expr<prng_key> const& key, dims<D...>) {
    return uniform_of_key<Partitionable, T, dims<2, D...>>(key, 0.0f, 1.0f);
  }
};

template <class T, class Dims>
struct laplace_body {
  static constexpr std::string_view name = "_laplace";
  constexpr auto operator()(expr<prng_key> const& key) const {
    auto const u = uniform_of_key<1, T, Dims>(key, real_literal<T>(-1 + epsilon_of<T> / 2), 1.0f);
    return plain_binary<prim::mul>(record_unary<prim::sign>(u),
                                   record_unary<prim::log1p>(record_unary<prim::neg>(record_unary<prim::abs>(u))));
  }
};
template <class T, class Dims>
struct logistic_body {
  static constexpr std::string_view name = "_logistic";
  constexpr auto operator()(expr<prng_key> const& key) const {
    auto const x = uniform_of_key<1, T, Dims>(key, real_literal<T>(least_of<T>), 1.0f);
    return plain_binary<prim::sub>(record_unary<prim::log>(x), record_unary<prim::log1p>(record_unary<prim::neg>(x)));
  }
};
template <class T, class Dims>
struct cauchy_body {
  static constexpr std::string_view name = "_cauchy";
  constexpr auto operator()(expr<prng_key> const& key) const {
    auto const u = uniform_of_key<1, T, Dims>(key, real_literal<T>(epsilon_of<T>), 1.0f);
    return record_unary<prim::tan>(plain_binary<prim::mul>(real_literal<T>(3.141592653589793), plain_binary<prim::sub>(u, 0.5)));
  }
};
template <class T, class Dims>
struct maxwell_body;
template <class T, int... D>
struct maxwell_body<T, dims<D...>> {
  static constexpr std::string_view name = "_maxwell";
  constexpr auto operator()(expr<prng_key> const& key) const {
    auto const x = normal_of_key<T, dims<D..., 3>>(key);
    return sqrt(sum(multiply(x, x), axis<-1>));
  }
};
template <class T>
constexpr bool check_float_dtype() {
  static_assert(is_float_type<T>, "exprax: random: the dtype of the samples must be floating");
  return is_float_type<T>;
}

}  // namespace detail

namespace random {

// Of mean 0 and variance 1: sqrt(2) erf_inv of a uniform number. normal<3, 3>(key): [Dims...], default_float if no dtype is given.
// Refused: a dtype that is not floating (jax.random.normal).
template <class T, int... Dims, array_like K, class... Tags>
constexpr auto normal(K const& key, Tags...) {
  EXPRAX_TAKES("random::normal", "non_partitionable", Tags...) {
    using op = detail::named_random_op<detail::normal_body<detail::is_partitionable<Tags...>, T, detail::dims<Dims...>>>;
    if constexpr (detail::check_float_dtype<T>()) return detail::with_key<op>(key);
  } else {
    return key;
  }
}
template <int... Dims, array_like K, class... Tags>
constexpr auto normal(K const& key, Tags... tags) {
  EXPRAX_TAKES("random::normal", "non_partitionable", Tags...) return normal<default_float, Dims...>(key, tags...);
  else return key;
}
// Of density exp(-x), x >= 0: [Dims...]; dtype as of normal (jax.random.exponential).
template <class T, int... Dims, array_like K, class... Tags>
constexpr auto exponential(K const& key, Tags...) {
  EXPRAX_TAKES("random::exponential", "non_partitionable", Tags...) {
    using op = detail::named_random_op<detail::exponential_body<detail::is_partitionable<Tags...>, T, detail::dims<Dims...>>>;
    if constexpr (detail::check_float_dtype<T>()) return detail::with_key<op>(key);
  } else {
    return key;
  }
}
template <int... Dims, array_like K, class... Tags>
constexpr auto exponential(K const& key, Tags... tags) {
  EXPRAX_TAKES("random::exponential", "non_partitionable", Tags...) return exponential<default_float, Dims...>(key, tags...);
  else return key;
}
// Of distribution function exp(-exp(-x)): [Dims...]; dtype as of normal (jax.random.gumbel).
template <class T, int... Dims, array_like K, class... Tags>
constexpr auto gumbel(K const& key, Tags...) {
  EXPRAX_TAKES("random::gumbel", "non_partitionable", Tags...) {
    using op = detail::named_random_op<detail::gumbel_body<detail::is_partitionable<Tags...>, T, detail::dims<Dims...>, false>>;
    if constexpr (detail::check_float_dtype<T>()) return detail::with_key<op>(key);
  } else {
    return key;
  }
}
template <int... Dims, array_like K, class... Tags>
constexpr auto gumbel(K const& key, Tags... tags) {
  EXPRAX_TAKES("random::gumbel", "non_partitionable", Tags...) return gumbel<default_float, Dims...>(key, tags...);
  else return key;
}
// Of density exp(-|x|) / 2: [Dims...]; dtype as of normal (jax.random.laplace).
template <class T, int... Dims, array_like K>
constexpr auto laplace(K const& key) {
  using op = detail::named_random_op<detail::laplace_body<T, detail::dims<Dims...>>>;
  if constexpr (detail::check_float_dtype<T>()) return detail::with_key<op>(key);
}
template <int... Dims, array_like K>
constexpr auto laplace(K const& key) {
  return laplace<default_float, Dims...>(key);
}
// Of distribution function 1 / (1 + exp(-x)): [Dims...]; dtype as of normal (jax.random.logistic).
template <class T, int... Dims, array_like K>
constexpr auto logistic(K const& key) {
  using op = detail::named_random_op<detail::logistic_body<T, detail::dims<Dims...>>>;
  if constexpr (detail::check_float_dtype<T>()) return detail::with_key<op>(key);
}
template <int... Dims, array_like K>
constexpr auto logistic(K const& key) {
  return logistic<default_float, Dims...>(key);
}
// Of density 1 / (pi (1 + x^2)): [Dims...]; dtype as of normal (jax.random.cauchy).
template <class T, int... Dims, array_like K>
constexpr auto cauchy(K const& key) {
  using op = detail::named_random_op<detail::cauchy_body<T, detail::dims<Dims...>>>;
  if constexpr (detail::check_float_dtype<T>()) return detail::with_key<op>(key);
}
template <int... Dims, array_like K>
constexpr auto cauchy(K const& key) {
  return cauchy<default_float, Dims...>(key);
}
// The length of a vector of three normal numbers: [Dims...]; dtype as of normal (jax.random.maxwell).
template <class T, int... Dims, array_like K>
constexpr auto maxwell(K const& key) {
  using op = detail::named_random_op<detail::maxwell_body<T, detail::dims<Dims...>>>;
  if constexpr (detail::check_float_dtype<T>()) return detail::with_key<op>(key);
}
template <int... Dims, array_like K>
constexpr auto maxwell(K const& key) {
  return maxwell<default_float, Dims...>(key);
}

}  // namespace random

}  // namespace exprax
