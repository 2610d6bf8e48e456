// SPDX-License-Identifier: BSL-1.0
// The shape behind the key, as jax.random has it: normal(key, shape<2, 3>), normal(key, x.shape, float64), uniform(key, x.shape, -1, 1),
// bernoulli(key, p, x.shape), split(key, shape<4>). The same functions as normal<2, 3>(key). Refused: sizes that are numbers.
#pragma once

#include <exprax/numpy/random/random_continuous.hpp>
#include <exprax/numpy/random/random_integers.hpp>

namespace exprax::detail {
template <class... O>
inline constexpr bool dtype_is_first = false;
template <class T, class... O>
inline constexpr bool dtype_is_first<dtype_t<T>, O...> = true;
}  // namespace exprax::detail

namespace exprax::random {

#define EXPRAX_SHAPE_BEHIND_THE_KEY(function)                                                                                          \
  template <array_like K, int... Dims, class... O>                                                                                     \
    requires(!detail::dtype_is_first<O...>) &&                                                                                         \
            requires(K const& key, O const&... options) { random::function<Dims...>(key, options...); }                                \
  constexpr auto function(K const& key, shape_t<Dims...>, O const&... options) {                                                       \
    return random::function<Dims...>(key, options...);                                                                                 \
  }                                                                                                                                    \
  template <array_like K, int... Dims, class T, class... O>                                                                            \
    requires requires(K const& key, O const&... options) { random::function<T, Dims...>(key, options...); }                            \
  constexpr auto function(K const& key, shape_t<Dims...>, dtype_t<T>, O const&... options) {                                           \
    return random::function<T, Dims...>(key, options...);                                                                              \
  }
#define EXPRAX_SIZES_BEHIND_THE_KEY(function)                                                                                          \
  template <array_like K, std::integral Size, std::integral... More>                                                                   \
  constexpr auto function(K const& key, Size, More...) {                                                                               \
    static_assert(detail::are_template_arguments<Size>, "exprax: random::" #function ": sizes are part of types: write ex::random::"   \
                                                        #function "<3>(key), or ex::random::" #function "(key, ex::shape<3>)");        \
    return key;                                                                                                                        \
  }
template <array_like K, detail::static_constant N>
constexpr auto split(K const& key, N) {
  return random::split<N::value>(key);
}
EXPRAX_SHAPE_BEHIND_THE_KEY(bits)
EXPRAX_SHAPE_BEHIND_THE_KEY(uniform)
EXPRAX_SHAPE_BEHIND_THE_KEY(normal)
EXPRAX_SHAPE_BEHIND_THE_KEY(exponential)
EXPRAX_SHAPE_BEHIND_THE_KEY(gumbel)
EXPRAX_SHAPE_BEHIND_THE_KEY(laplace)
EXPRAX_SHAPE_BEHIND_THE_KEY(logistic)
EXPRAX_SHAPE_BEHIND_THE_KEY(cauchy)
EXPRAX_SHAPE_BEHIND_THE_KEY(maxwell)
EXPRAX_SHAPE_BEHIND_THE_KEY(rademacher)
EXPRAX_SHAPE_BEHIND_THE_KEY(randint)
EXPRAX_SIZES_BEHIND_THE_KEY(split)
EXPRAX_SIZES_BEHIND_THE_KEY(bits)
EXPRAX_SIZES_BEHIND_THE_KEY(normal)
EXPRAX_SIZES_BEHIND_THE_KEY(exponential)
#undef EXPRAX_SHAPE_BEHIND_THE_KEY
#undef EXPRAX_SIZES_BEHIND_THE_KEY

template <array_like K, int... Dims, class... O>
  requires(sizeof...(Dims) > 0)
constexpr auto split(K const& key, shape_t<Dims...>, O const&... options) {
  return random::split<Dims...>(key, options...);
}
template <array_like K, array_like P, int... Dims, class... O>
constexpr auto bernoulli(K const& key, P const& p, shape_t<Dims...>, O const&... options) {
  return random::bernoulli<Dims...>(key, p, options...);
}

}  // namespace exprax::random
