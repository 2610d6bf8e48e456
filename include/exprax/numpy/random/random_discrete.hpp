// SPDX-License-Identifier: BSL-1.0
// Discrete distributions (jax.random): poisson, binomial, geometric. Loops run until all samples are found; the methods are JAX's:
// Knuth's products and Hormann's transformed rejection for poisson, geometric steps and Hormann's BTRS for binomial.
#pragma once

#include <exprax/api/control/while_loop.hpp>
#include <exprax/numpy/elementwise/rounding.hpp>
#include <exprax/numpy/elementwise/transcendental.hpp>
#include <exprax/numpy/random/random_integers.hpp>
#include <exprax/numpy/random/random_scaled.hpp>

namespace exprax {

namespace detail {

template <class T, class X>
constexpr auto filled_like(X const& x, T value) {
  return constant_like<expr_like<X, T>>(x, value);
}

// Products of uniform numbers, while they are above exp(-lam): T counts them.
template <class T, class Dims>
struct poisson_knuth {
  static constexpr std::string_view name = "_poisson_knuth";
  template <tracer L>
  constexpr auto operator()(expr<prng_key> const& key, L const& lam) const {
    auto const go_on = [lam](auto s) { return any(std::get<2>(s) > -lam); };
    auto const next = [lam](auto s) {
      auto const keys = split_key<1, 2>(std::get<1>(s));
      auto const count = select(std::get<2>(s) > -lam, std::get<0>(s) + 1, std::get<0>(s));
      auto const u = unit_uniform<float, Dims>(key_at<1>(keys));
      return std::tuple(count, expr<prng_key>(key_at<0>(keys)), std::get<2>(s) + log(u));
    };
    return std::get<0>(while_loop(go_on, next, std::tuple(filled_like<T>(lam, T(0)), key, filled_like<float>(lam, 0.0f)))) - 1;
  }
};
template <class T, class Dims>
struct poisson_rejection {
  static constexpr std::string_view name = "_poisson_rejection";
  template <tracer L>
  constexpr auto operator()(expr<prng_key> const& key, L const& lam) const {
    auto const log_lam = log(lam);
    auto const b = 0.931 + 2.53 * sqrt(lam);
    auto const a = -0.059 + 0.02483 * b;
    auto const inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    auto const v_r = 0.9277 - 3.6224 / (b - 2);
    auto const go_on = [](auto s) { return any(~std::get<1>(s)); };
    auto const next = [=](auto s) {
      auto const keys = split_key<1, 3>(std::get<2>(s));
      auto const u = unit_uniform<float, Dims>(key_at<1>(keys)) - 0.5;
      auto const v = unit_uniform<float, Dims>(key_at<2>(keys));
      auto const shifted = 0.5 - abs(u);
      auto const k = floor((2 * a / shifted + b) * u + lam + 0.43);
      auto const left = log(v * inverse_alpha / (a / (shifted * shifted) + b));
      auto const right = k * log_lam - lam - lgamma(k + 1);
      auto const at_once = (shifted >= 0.07) & (v <= v_r);
      auto const rejected = (k < 0) | ((shifted < 0.013) & (v > shifted));
      auto const accepted = at_once | (~rejected & (left <= right));
      return std::tuple(select(accepted, k, std::get<0>(s)), std::get<1>(s) | accepted, expr<prng_key>(key_at<0>(keys)));
    };
    return astype<T>(std::get<0>(while_loop(go_on, next, std::tuple(filled_like<float>(lam, -1.0f), filled_like<bool>(lam, false), key))));
  }
};
// Below 10 by products, above by rejection; each loop gets a rate that ends it soon for the samples of the other.
template <class T, class Dims>
struct poisson_body {
  static constexpr std::string_view name = "_poisson";
  template <tracer L>
  constexpr auto operator()(expr<prng_key> const& key, L const& given) const {
    using shape = sample_dims<Dims, L>;
    auto const lam = parameter<float, shape>(given);
    auto const is_small = isnan(lam) | (lam < 10);
    auto const few = named_random_op<poisson_knuth<T, shape>>{}(key, select(is_small, lam, filled_like<float>(lam, 0.0f)));
    auto const many = named_random_op<poisson_rejection<T, shape>>{}(key, select(is_small, filled_like<float>(lam, 1e5f), lam));
    auto const result = select(is_small, few, many);
    return select(lam == 0, filled_like<T>(lam, T(0)), result);
  }
};

template <class T, class Dims>
struct geometric_body {
  static constexpr std::string_view name = "_geometric";
  template <tracer P>
  constexpr auto operator()(expr<prng_key> const& key, P const& p) const {
    using type = strong_t<inexact_t<type_in<P>>>;
    using shape = sample_dims<Dims, P>;
    auto const u = unit_uniform<type, shape>(key);
    auto const steps = floor(divide(log(where(u == 0, 1, u)), parameter<type, shape>(log1p(-to_dtype<type>(p)))));
    return astype<T>(steps + 1);
  }
};

// What Stirling's formula leaves over, for k >= 0.
template <tracer X>
constexpr auto stirling_tail(X const& k) {
  using type = typename X::value_type;
  constexpr double values[] = {0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
                               0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287};
  auto const bounded = clip(k, 0.0, 9.0);
  auto const squared = (bounded + 1) * (bounded + 1);
  auto const formula = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / squared) / squared) / (bounded + 1);
  auto const whole = floor(bounded);
  auto tail = filled_like<type>(k, static_cast<type>(values[9]));
  for (int i = 8; i >= 0; --i) tail = select(whole == i, filled_like<type>(k, static_cast<type>(values[i])), tail);
  return select(k <= 9, tail, formula);
}
// The number of geometric steps that fit into count.
template <class T, class Dims>
struct binomial_inversion {
  template <class N, class P>
  static constexpr auto of(expr<prng_key> const& key, N const& count, P const& p) {
    auto const log_rest = log1p(-p);
    auto const go_on = [count](auto s) { return any(std::get<1>(s) <= count); };
    auto const next = [=](auto s) {
      auto const keys = split_key<1, 2>(std::get<2>(s));
      auto const steps = select(std::get<1>(s) <= count, std::get<0>(s) + 1, std::get<0>(s));
      auto const u = unit_uniform<T, Dims>(key_at<0>(keys));
      return std::tuple(steps, std::get<1>(s) + ceil(log(u) / log_rest), expr<prng_key>(key_at<1>(keys)));
    };
    return std::get<0>(while_loop(go_on, next, std::tuple(filled_like<T>(p, T(0)), filled_like<T>(p, T(0)), key))) - 1;
  }
};
template <class T, class Dims>
struct binomial_rejection {
  template <class N, class P>
  static constexpr auto of(expr<prng_key> const& key, N const& count, P const& p) {
    auto const deviation = sqrt(count * p * (1 - p));
    auto const b = 1.15 + 2.53 * deviation;
    auto const a = -0.0873 + 0.0248 * b + 0.01 * p;
    auto const c = count * p + 0.5;
    auto const v_r = 0.92 - 4.2 / b;
    auto const r = p / (1 - p);
    auto const alpha = (2.83 + 5.1 / b) * deviation;
    auto const m = floor((count + 1) * p);
    auto const go_on = [](auto s) { return any(~std::get<1>(s)); };
    auto const next = [=](auto s) {
      auto const keys = split_key<1, 3>(std::get<2>(s));
      auto const u = unit_uniform<T, Dims>(key_at<1>(keys)) - 0.5;
      auto const v = unit_uniform<T, Dims>(key_at<2>(keys));
      auto const us = 0.5 - abs(u);
      auto const at_once = (us >= 0.07) & (v <= v_r);
      auto const k = floor((2 * a / us + b) * u + c);
      auto const rejected = (k < 0) | (k > count);
      auto const left = log(v * alpha / (a / (us * us) + b));
      auto const right = (m + 0.5) * log((m + 1) / (r * (count - m + 1))) + (count + 1) * log((count - m + 1) / (count - k + 1)) +
                         (k + 0.5) * log(r * (count - k + 1) / (k + 1)) + stirling_tail(m) + stirling_tail(count - m) - stirling_tail(k) -
                         stirling_tail(count - k);
      auto const accepted = at_once | (~rejected & (left <= right));
      return std::tuple(select(accepted, k, std::get<0>(s)), std::get<1>(s) | accepted, expr<prng_key>(key_at<0>(keys)));
    };
    return std::get<0>(while_loop(go_on, next, std::tuple(filled_like<T>(p, T(-1)), filled_like<bool>(p, false), key)));
  }
};
// Up to 10 expected successes by inversion, above by rejection. NaN for a count or probability that is none.
template <class T, class Dims>
struct binomial_op {
  template <operand K, operand N, operand P>
  constexpr auto operator()(K const& key, N const& n, P const& p) const {
    using shape = sample_dims<Dims, N, P>;
    auto const typed = typed_key(key);
    auto const prob = parameter<T, shape>(as_traced(p));
    auto const given = parameter<T, shape>(as_traced(n));
    auto const is_lower = prob < 0.5;
    auto const smaller = select(is_lower, prob, 1 - prob);
    auto const no_count = isnan(given) | (given < 0);
    auto const no_probability = isnan(smaller) | (smaller < 0);
    auto const is_infinite = given == std::numeric_limits<double>::infinity();
    auto const q = select(no_probability, filled_like<T>(prob, T(0.01)), smaller);
    auto const by_inversion = no_count | (given * q <= 10);
    auto const count = floor(given);
    auto const few = binomial_inversion<T, shape>::of(typed, select(by_inversion, count, filled_like<T>(count, T(0))), q);
    auto const many = binomial_rejection<T, shape>::of(typed, select(by_inversion | is_infinite, filled_like<T>(count, T(1e4)), count),
                                                       select(by_inversion, filled_like<T>(q, T(0.5)), q));
    auto const samples = select(by_inversion, few, many);
    auto const valid = select(no_count | no_probability, filled_like<T>(q, std::numeric_limits<T>::quiet_NaN()), samples);
    auto const finite = select(is_infinite & ~(no_count | no_probability), filled_like<T>(q, std::numeric_limits<T>::infinity()), valid);
    return select(is_lower | no_count | isnan(smaller) | is_infinite, finite, count - finite);
  }
};

}  // namespace detail

namespace random {

// Numbers of events of rate lam: [Dims...], or the shape of lam; default_int if no dtype is given. Refused: a dtype that is not an
// integer, a lam that does not broadcast to Dims (jax.random.poisson).
template <class T, int... Dims, array_like Key, array_like L>
constexpr auto poisson(Key const& key, L const& lam) {
  static_assert(detail::is_integer_type<T>, "exprax: random::poisson: the dtype must be an integer");
  using op = detail::named_random_op<detail::poisson_body<canonical_t<T>, detail::dims<Dims...>>>;
  if constexpr (detail::check_parameters<detail::dims<Dims...>, L>()) return detail::with_key<op>(key, lam);
}
template <int... Dims, array_like Key, array_like L>
constexpr auto poisson(Key const& key, L const& lam) {
  return poisson<default_int, Dims...>(key, lam);
}
// Numbers of trials up to the first success, of probability p: [Dims...], or the shape of p; default_int if no dtype is given. Refused: a
// dtype that is not an integer, a p that does not broadcast to Dims (jax.random.geometric).
template <class T, int... Dims, array_like Key, array_like P>
constexpr auto geometric(Key const& key, P const& p) {
  static_assert(detail::is_integer_type<T>, "exprax: random::geometric: the dtype must be an integer");
  using op = detail::named_random_op<detail::geometric_body<canonical_t<T>, detail::dims<Dims...>>>;
  if constexpr (detail::check_parameters<detail::dims<Dims...>, P>()) return detail::with_key<op>(key, p);
}
template <int... Dims, array_like Key, array_like P>
constexpr auto geometric(Key const& key, P const& p) {
  return geometric<default_int, Dims...>(key, p);
}
// Numbers of successes in n trials of probability p, as floats: [Dims...], or the shape to which n and p broadcast; default_float if no
// dtype is given. NaN where n is negative or p is not in [0, 1]. Refused: a dtype that is not floating, parameters that do not broadcast
// to Dims (jax.random.binomial).
template <class T, int... Dims, array_like Key, array_like N, array_like P>
constexpr auto binomial(Key const& key, N const& n, P const& p) {
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, N, P>())
    return detail::with_key<detail::binomial_op<T, detail::dims<Dims...>>>(key, n, p);
}
template <int... Dims, array_like Key, array_like N, array_like P>
constexpr auto binomial(Key const& key, N const& n, P const& p) {
  return binomial<default_float, Dims...>(key, n, p);
}

}  // namespace random

}  // namespace exprax
