// SPDX-License-Identifier: BSL-1.0
// double_sided_maxwell and multinomial (jax.random), put together from other distributions as JAX does it; clone.
#pragma once

#include <exprax/api/control/scan.hpp>
#include <exprax/numpy/random/random_discrete.hpp>
#include <exprax/numpy/random/random_integers.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>

namespace exprax {

namespace detail {

// The shape asked for, or that of the parameters, and behind it that of the parameters.
template <class Dims, class L, class S>
struct sided_shape {
  static constexpr aval value = [] {
    aval const meet = common_shape<L, S>::value, front = sample_shape<Dims, L, S>::value;
    aval a(dtype::f32);
    for (int i = 0; i < front.rank; ++i) a.dims[a.rank++] = front.dims[i];
    for (int i = 0; i < meet.rank; ++i) a.dims[a.rank++] = meet.dims[i];
    return a;
  }();
};
template <class T, class Dims>
struct double_sided_maxwell_body {
  static constexpr std::string_view name = "_double_sided_maxwell";
  template <tracer L, tracer S>
  constexpr auto operator()(expr<prng_key> const& key, L const& loc, S const& scale) const {
    return of(typename dims_of<sided_shape<Dims, L, S>>::type{}, key, loc, scale);
  }

 private:
  template <int... D, class L, class S>
  static constexpr auto of(dims<D...>, expr<prng_key> const& key, L const& loc, S const& scale) {
    auto const keys = split_key<1, 2>(key);
    auto const size = random::maxwell<T, D...>(key_at<0>(keys));
    auto const sign = random::rademacher<T, D...>(key_at<1>(keys));
    return sign * size * to_dtype<T>(scale) + to_dtype<T>(loc);
  }
};

template <class Shape>
struct without_last_axis {
  static constexpr aval value = Shape::value.without_axis(Shape::value.rank - 1);
};
// One kind after the other: of the trials that are left, those that are of this kind and not of a later one.
template <class T, class Dims>
struct multinomial_op {
  template <operand K, operand N, operand P>
  constexpr auto operator()(K const& key, N const& n, P const& p) const {
    using type = strong_t<inexact_t<promote_t<type_in<N>, type_in<P>>>>;
    using whole = sample_shape<Dims, P>;
    constexpr int kinds = whole::value.dims[whole::value.rank - 1];
    using batch_dims = typename dims_of<without_last_axis<whole>>::type;
    auto const first = parameter<type, batch_dims>(as_traced(n));
    auto const probability = moveaxis<-1, 0>(parameter<type, typename dims_of<whole>::type>(as_traced(p)));
    auto const left = detail::bind<std::remove_const_t<decltype(probability)>>(prim::cumsum, first_axis_back, probability);
    auto const ratio = probability / where(left == 0, 1, left);
    auto const keys = split_key<1, kinds>(typed_key(key));
    auto const counts = std::get<1>(scan(
        [](auto rest, auto at) {
          auto const share = clip(std::get<0>(at), 0, 1);
          auto const count = binomial_op<type, batch_dims>{}(std::get<1>(at), rest, share);
          return std::tuple(rest - count, count);
        },
        first, std::tuple(ratio, keys)));
    return as_expr<T>(moveaxis<0, -1>(counts));
  }

 private:
  static constexpr int first_axis_back[] = {0, 1};
};

}  // namespace detail

namespace random {

// A Maxwell distribution with random signs, times scale, plus loc: [Dims..., the shape to which loc and scale broadcast]; without Dims
// this shape twice. default_float if no dtype is given. Refused: loc and scale that do not broadcast, a dtype that is not floating
// (jax.random.double_sided_maxwell).
template <class T, int... Dims, array_like K, array_like L, array_like S>
constexpr auto double_sided_maxwell(K const& key, L const& loc, S const& scale) {
  static_assert(detail::broadcasts<L, S>, "exprax: random::double_sided_maxwell: the shapes of loc and scale do not broadcast");
  using op = detail::named_random_op<detail::double_sided_maxwell_body<T, detail::dims<Dims...>>>;
  if constexpr (detail::check_float_dtype<T>() && detail::broadcasts<L, S>) return detail::with_key<op>(key, loc, scale);
}
template <int... Dims, array_like K, array_like L, array_like S>
constexpr auto double_sided_maxwell(K const& key, L const& loc, S const& scale) {
  return double_sided_maxwell<default_float, Dims...>(key, loc, scale);
}
// How many of n trials are of each kind, of probabilities p along the last axis: [Dims...], or the shape of p; default_float if no dtype
// is given. n broadcasts to the axes before the last one. Refused: a p that is a scalar or does not broadcast to Dims, a dtype that is not
// floating (jax.random.multinomial).
template <class T, int... Dims, array_like K, array_like N, array_like P>
constexpr auto multinomial(K const& key, N const& n, P const& p) {
  constexpr bool fits = detail::rank_in<P> > 0 && detail::samples_fit<detail::dims<Dims...>, P>;
  static_assert(fits, "exprax: random::multinomial: p has the kinds along its last axis, and broadcasts to the shape of the result");
  if constexpr (detail::check_float_dtype<T>() && fits)
    return detail::with_key<detail::multinomial_op<T, detail::dims<Dims...>>>(key, n, p);
}
template <int... Dims, array_like K, array_like N, array_like P>
constexpr auto multinomial(K const& key, N const& n, P const& p) {
  return multinomial<default_float, Dims...>(key, n, p);
}
// The key itself, to be used once more (jax.random.clone).
inline constexpr struct clone_function {
  template <array_like K>
  constexpr K operator()(K const& key) const {
    return key;
  }
} clone{};

}  // namespace random

}  // namespace exprax
