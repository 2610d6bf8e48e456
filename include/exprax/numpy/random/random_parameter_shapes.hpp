// SPDX-License-Identifier: BSL-1.0
// The shape behind the parameters, as jax.random has it: gamma(key, 2.0f, shape<3>), beta(key, a, b, x.shape, float64),
// choice(key, x, shape<2>). The same functions as gamma<3>(key, 2.0f).
#pragma once

#include <exprax/numpy/random/random_choice.hpp>
#include <exprax/numpy/random/random_compound.hpp>
#include <exprax/numpy/random/random_discrete.hpp>
#include <exprax/numpy/random/random_gamma.hpp>
#include <exprax/numpy/random/random_linalg.hpp>
#include <exprax/numpy/random/random_scaled.hpp>

namespace exprax::random {

#define EXPRAX_SHAPE_BEHIND_1(function)                                                                                                \
  template <array_like K, array_like A, int... Dims>                                                                                   \
  constexpr auto function(K const& key, A const& a, shape_t<Dims...>) {                                                                \
    return random::function<Dims...>(key, a);                                                                                          \
  }                                                                                                                                    \
  template <array_like K, array_like A, int... Dims, class T>                                                                          \
  constexpr auto function(K const& key, A const& a, shape_t<Dims...>, dtype_t<T>) {                                                    \
    return random::function<T, Dims...>(key, a);                                                                                       \
  }
#define EXPRAX_SHAPE_BEHIND_2(function)                                                                                                \
  template <array_like K, array_like A, array_like B, int... Dims>                                                                     \
  constexpr auto function(K const& key, A const& a, B const& b, shape_t<Dims...>) {                                                    \
    return random::function<Dims...>(key, a, b);                                                                                       \
  }                                                                                                                                    \
  template <array_like K, array_like A, array_like B, int... Dims, class T>                                                            \
  constexpr auto function(K const& key, A const& a, B const& b, shape_t<Dims...>, dtype_t<T>) {                                        \
    return random::function<T, Dims...>(key, a, b);                                                                                    \
  }
EXPRAX_SHAPE_BEHIND_1(gamma)
EXPRAX_SHAPE_BEHIND_1(loggamma)
EXPRAX_SHAPE_BEHIND_1(chisquare)
EXPRAX_SHAPE_BEHIND_1(t)
EXPRAX_SHAPE_BEHIND_1(generalized_normal)
EXPRAX_SHAPE_BEHIND_1(dirichlet)
EXPRAX_SHAPE_BEHIND_1(lognormal)
EXPRAX_SHAPE_BEHIND_1(rayleigh)
EXPRAX_SHAPE_BEHIND_1(pareto)
EXPRAX_SHAPE_BEHIND_1(wald)
EXPRAX_SHAPE_BEHIND_1(poisson)
EXPRAX_SHAPE_BEHIND_1(geometric)
EXPRAX_SHAPE_BEHIND_2(beta)
EXPRAX_SHAPE_BEHIND_2(f)
EXPRAX_SHAPE_BEHIND_2(truncated_normal)
EXPRAX_SHAPE_BEHIND_2(weibull_min)
EXPRAX_SHAPE_BEHIND_2(binomial)
EXPRAX_SHAPE_BEHIND_2(double_sided_maxwell)
EXPRAX_SHAPE_BEHIND_2(multinomial)
EXPRAX_SHAPE_BEHIND_2(multivariate_normal)
#undef EXPRAX_SHAPE_BEHIND_1
#undef EXPRAX_SHAPE_BEHIND_2

template <array_like K, array_like A, array_like M, array_like B, int... Dims>
constexpr auto triangular(K const& key, A const& left, M const& mode, B const& right, shape_t<Dims...>) {
  return random::triangular<Dims...>(key, left, mode, right);
}
template <array_like K, array_like A, array_like M, array_like B, int... Dims, class T>
constexpr auto triangular(K const& key, A const& left, M const& mode, B const& right, shape_t<Dims...>, dtype_t<T>) {
  return random::triangular<T, Dims...>(key, left, mode, right);
}
template <array_like K, class X, int... Dims, class... O>
constexpr auto choice(K const& key, X const& x, shape_t<Dims...>, O const&... options) {
  return random::choice<Dims...>(key, x, options...);
}
template <array_like K, array_like L, int... Dims, class... O>
constexpr auto categorical(K const& key, L const& logits, shape_t<Dims...>, O const&... options) {
  return random::categorical<Dims...>(key, logits, options...);
}

}  // namespace exprax::random
