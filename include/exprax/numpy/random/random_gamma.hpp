// SPDX-License-Identifier: BSL-1.0
// Distributions made of gamma numbers (jax.random): gamma, loggamma, beta, dirichlet, chisquare, t, f, generalized_normal, ball.
// Gamma numbers by Marsaglia and Tsang (A simple method for generating gamma variables, 2000), a loop for each, with JAX's keys.
#pragma once

#include <exprax/api/control/while_loop.hpp>
#include <exprax/api/vmap/vmap.hpp>
#include <exprax/numpy/nn/softmax.hpp>
#include <exprax/numpy/random/gamma_derivative.hpp>
#include <exprax/numpy/random/random_integers.hpp>
#include <exprax/numpy/random/random_scaled.hpp>

namespace exprax {

namespace detail {

// One number, from a key and the shape parameter.
template <class T, bool Log>
struct gamma_one {
  constexpr expr<T> operator()(expr<prng_key> const& key, expr<T> const& alpha) const {
    auto const is_large = alpha >= 1;
    expr<T> const a = select(is_large, alpha, alpha + 1);
    expr<T> const d = a - third;
    expr<T> const c = third / sqrt(d);
    auto const keys = split_key<1, 2>(key);
    expr<prng_key> const first = key_at<0>(keys);
    expr<prng_key> const second = key_at<1>(keys);
    expr<T> const zero = real_literal<T>(0), one = real_literal<T>(1), two = real_literal<T>(2);
    auto const is_rejected = [d](auto s) {
      expr<T> const x = std::get<1>(s), v = std::get<2>(s), u = std::get<3>(s);
      return (u >= 1 - 0.0331 * (x * x)) & (log(u) >= x * 0.5 + d * ((1 - v) + log(v)));
    };
    auto const next = [c](auto s) { return candidate(std::get<0>(s), c); };
    auto const last = while_loop(is_rejected, next, std::tuple(first, zero, one, two));
    expr<T> const v = std::get<2>(last);
    if constexpr (Log) {
      auto const sample = -exponential_of_key<T, dims<>>(second);
      auto const boost = select(is_large | (sample == 0), zero, sample * (one / alpha));
      return log(d) + log(v) + boost;
    } else {
      auto const sample = 1 - unit_uniform<T, dims<>>(second);
      auto const boost = select(is_large, one, power(sample, one / alpha));
      return d * v * boost;
    }
  }

 private:
  static constexpr double third = 1.0 / 3;
  // The next key, and x^2, (1 + c x)^3 for a normal x with 1 + c x > 0, and a uniform number.
  static constexpr auto candidate(expr<prng_key> const& key, expr<T> const& c) {
    auto const keys = split_key<1, 3>(key);
    expr<prng_key> const next = key_at<0>(keys);
    auto const is_negative = [](auto s) { return std::get<2>(s) <= 0; };
    auto const draw = [c](auto s) {
      auto const two = split_key<1, 2>(std::get<0>(s));
      expr<prng_key> const rest = key_at<0>(two);
      expr<T> const x = normal_of_key<T, dims<>>(key_at<1>(two));
      expr<T> const v = 1 + x * c;
      return std::tuple(rest, x, v);
    };
    auto const found = while_loop(is_negative, draw, std::tuple(expr<prng_key>(key_at<1>(keys)), real_literal<T>(0), real_literal<T>(-1)));
    expr<T> const x = std::get<1>(found), v = std::get<2>(found);
    expr<T> const u = unit_uniform<T, dims<>>(key_at<2>(keys));
    expr<T> const squared = x * x, cubed = v * v * v;
    return std::tuple(next, squared, cubed, u);
  }
};

// Inside of jit[name=_gamma]: a key for each number.
template <class T, class Dims, bool Log>
struct gamma_body {
  static constexpr std::string_view name = "_gamma";
  template <tracer A>
  constexpr auto operator()(expr<prng_key> const& key, A const& a) const {
    using shape = sample_dims<Dims, A>;
    return samples(key, parameter<T, shape>(a), shape{});
  }

 private:
  template <class A, int... D>
  static constexpr expr<T, D...> samples(expr<prng_key> const& key, A const& a, dims<D...>) {
    constexpr int n = (1 * ... * D);
    if constexpr (n == 0) return a;
    else return with_gamma_derivative<Log>(reshape<D...>(vmap(gamma_one<T, Log>{})(split_key<1, n>(key), stop_gradient(reshape<n>(a)))), a);
  }
};
template <class T, class Dims, bool Log, operand A>
constexpr auto gamma_of_key(expr<prng_key> const& key, A const& a) {
  return named_random_op<gamma_body<T, Dims, Log>>{}(key, a);
}

template <class T, class Dims>
struct beta_body {
  static constexpr std::string_view name = "_beta";
  template <tracer A, tracer B>
  constexpr auto operator()(expr<prng_key> const& key, A const& a, B const& b) const {
    using shape = sample_dims<Dims, A, B>;
    auto const keys = split_key<1, 2>(key);
    auto const x = gamma_of_key<T, shape, true>(key_at<0>(keys), parameter<T, shape>(a));
    auto const y = gamma_of_key<T, shape, true>(key_at<1>(keys), parameter<T, shape>(b));
    auto const greatest = maximum(x, y);
    auto const p = exp(x - greatest);
    return p / (p + exp(y - greatest));
  }
};
template <class T, class Dims>
struct dirichlet_body {
  static constexpr std::string_view name = "_dirichlet";
  template <tracer A>
  constexpr auto operator()(expr<prng_key> const& key, A const& alpha) const {
    return nn::softmax(logs(key, to_dtype<T>(alpha), Dims{}));
  }

 private:
  template <class A, int... D>
  static constexpr auto logs(expr<prng_key> const& key, A const& alpha, dims<D...>) {
    if constexpr (sizeof...(D) == 0) return gamma_of_key<T, dims<>, true>(key, alpha);
    else return gamma_of_key<T, dims<D..., A::extent(-1)>, true>(key, alpha);
  }
};
template <class T, class Dims>
struct chisquare_body {
  static constexpr std::string_view name = "_chisquare";
  template <tracer F>
  constexpr auto operator()(expr<prng_key> const& key, F const& df) const {
    auto const half = plain_binary<prim::div>(to_dtype<T>(df), 2);
    return plain_binary<prim::mul>(exp(gamma_of_key<T, sample_dims<Dims, F>, true>(key, half)), 2);
  }
};
template <class T, class Dims>
struct t_body {
  static constexpr std::string_view name = "_t";
  template <tracer F>
  constexpr auto operator()(expr<prng_key> const& key, F const& df) const {
    using shape = sample_dims<Dims, F>;
    auto const keys = split_key<1, 2>(key);
    auto const x = normal_of_key<T, shape>(key_at<0>(keys));
    auto const half = plain_binary<prim::div>(to_dtype<T>(df), 2);
    return x * sqrt(half / gamma_of_key<T, shape, false>(key_at<1>(keys), half));
  }
};
template <class T, class Dims>
struct f_body {
  static constexpr std::string_view name = "_f";
  template <tracer A, tracer B>
  constexpr auto operator()(expr<prng_key> const& key, A const& above, B const& below) const {
    using shape = sample_dims<Dims, A, B>;
    auto const a = parameter<T, shape>(above);
    auto const b = parameter<T, shape>(below);
    auto const keys = split_key<1, 2>(key);
    auto const x = named_random_op<chisquare_body<T, shape>>{}(key_at<1>(keys), a);
    auto const y = named_random_op<chisquare_body<T, shape>>{}(key_at<0>(keys), b);
    return (x / a) / (y / b);
  }
};
template <class T, class Dims>
struct generalized_normal_body {
  static constexpr std::string_view name = "_generalized_normal";
  template <tracer P>
  constexpr auto operator()(expr<prng_key> const& key, P const& p) const {
    auto const keys = split_key<1, 2>(key);
    auto const inverse = 1 / to_dtype<T>(p);
    auto const g = gamma_of_key<T, Dims, false>(key_at<0>(keys), inverse);
    auto const sign_of_it = rademacher_op<T, Dims>{}(key_at<1>(keys));
    return sign_of_it * power(g, inverse);
  }
};
template <class T, int N, class Dims>
struct ball_body;
template <class T, int N, int... D>
struct ball_body<T, N, dims<D...>> {
  static constexpr std::string_view name = "_ball";
  template <tracer P>
  constexpr auto operator()(expr<prng_key> const& key, P const& p) const {
    auto const keys = split_key<1, 2>(key);
    auto const g = named_random_op<generalized_normal_body<T, dims<D..., N>>>{}(key_at<0>(keys), p);
    auto const e = exponential_of_key<T, dims<D...>>(key_at<1>(keys));
    auto const q = to_dtype<T>(p);
    return g / expand_dims(power(sum(power(abs(g), q), axis<-1>) + e, 1 / q), axis<-1>);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class Dims, class A>
inline constexpr bool has_concentrations = rank_in<A> == 1 || (rank_in<A> > 1 && Dims::rank == 0);

}  // namespace detail

namespace random {

// Of density x^(a - 1) exp(-x) / Gamma(a): [Dims...], or the shape to which the parameters broadcast; default_float if no dtype is given.
// Refused: a dtype that is not floating, parameters that do not broadcast to Dims (jax.random.gamma).
template <class T, int... Dims, array_like Key, array_like A>
constexpr auto gamma(Key const& key, A const& a) {
  using op = detail::named_random_op<detail::gamma_body<T, detail::dims<Dims...>, false>>;
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, A>()) return detail::with_key<op>(key, a);
}
template <int... Dims, array_like Key, array_like A>
constexpr auto gamma(Key const& key, A const& a) {
  return gamma<default_float, Dims...>(key, a);
}
// The logarithms of such numbers, which do not underflow for small a; shape, dtype and errors as of gamma (jax.random.loggamma).
template <class T, int... Dims, array_like Key, array_like A>
constexpr auto loggamma(Key const& key, A const& a) {
  using op = detail::named_random_op<detail::gamma_body<T, detail::dims<Dims...>, true>>;
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, A>()) return detail::with_key<op>(key, a);
}
template <int... Dims, array_like Key, array_like A>
constexpr auto loggamma(Key const& key, A const& a) {
  return loggamma<default_float, Dims...>(key, a);
}
// Of density proportional to x^(a - 1) (1 - x)^(b - 1); shape, dtype and errors as of gamma (jax.random.beta).
template <class T, int... Dims, array_like Key, array_like A, array_like B>
constexpr auto beta(Key const& key, A const& a, B const& b) {
  using op = detail::named_random_op<detail::beta_body<T, detail::dims<Dims...>>>;
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, A, B>())
    return detail::with_key<op>(key, a, b);
}
template <int... Dims, array_like Key, array_like A, array_like B>
constexpr auto beta(Key const& key, A const& a, B const& b) {
  return beta<default_float, Dims...>(key, a, b);
}
// Sums of the squares of df normal numbers; shape, dtype and errors as of gamma (jax.random.chisquare).
template <class T, int... Dims, array_like Key, array_like F>
constexpr auto chisquare(Key const& key, F const& df) {
  using op = detail::named_random_op<detail::chisquare_body<T, detail::dims<Dims...>>>;
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, F>())
    return detail::with_key<op>(key, df);
}
template <int... Dims, array_like Key, array_like F>
constexpr auto chisquare(Key const& key, F const& df) {
  return chisquare<default_float, Dims...>(key, df);
}
// Student's t with df degrees of freedom; shape, dtype and errors as of gamma (jax.random.t).
template <class T, int... Dims, array_like Key, array_like F>
constexpr auto t(Key const& key, F const& df) {
  using op = detail::named_random_op<detail::t_body<T, detail::dims<Dims...>>>;
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, F>())
    return detail::with_key<op>(key, df);
}
template <int... Dims, array_like Key, array_like F>
constexpr auto t(Key const& key, F const& df) {
  return t<default_float, Dims...>(key, df);
}
// Ratios of two chi-square numbers, each divided by its degrees of freedom; shape, dtype and errors as of gamma (jax.random.f).
template <class T, int... Dims, array_like Key, array_like A, array_like B>
constexpr auto f(Key const& key, A const& dfnum, B const& dfden) {
  using op = detail::named_random_op<detail::f_body<T, detail::dims<Dims...>>>;
  if constexpr (detail::check_float_dtype<T>() && detail::check_parameters<detail::dims<Dims...>, A, B>())
    return detail::with_key<op>(key, dfnum, dfden);
}
template <int... Dims, array_like Key, array_like A, array_like B>
constexpr auto f(Key const& key, A const& dfnum, B const& dfden) {
  return f<default_float, Dims...>(key, dfnum, dfden);
}
// Of density proportional to exp(-|x|^p); [Dims...], to which p broadcasts; dtype and errors as of gamma (jax.random.generalized_normal).
template <class T, int... Dims, array_like Key, array_like P>
constexpr auto generalized_normal(Key const& key, P const& p) {
  using op = detail::named_random_op<detail::generalized_normal_body<T, detail::dims<Dims...>>>;
  constexpr bool fits = detail::samples_of_dims_fit<detail::dims<Dims...>, P>;
  static_assert(fits,
                "exprax: random::generalized_normal: p must broadcast to the shape: give random::generalized_normal<sizes...>(key, p)");
  if constexpr (detail::check_float_dtype<T>() && fits) return detail::with_key<op>(key, p);
  else return key;  // after the error: nothing that leads to others
}
template <int... Dims, array_like Key, array_like P>
constexpr auto generalized_normal(Key const& key, P const& p) {
  return generalized_normal<default_float, Dims...>(key, p);
}
// Vectors of positive numbers of sum 1: alpha [n] -> [Dims..., n], or alpha [..., n] -> [..., n] without Dims; default_float if no dtype
// is given. Refused: scalars, leading axes of alpha together with Dims, a dtype that is not floating (jax.random.dirichlet).
template <class T, int... Dims, array_like Key, array_like A>
constexpr auto dirichlet(Key const& key, A const& alpha) {
  static_assert(detail::has_concentrations<detail::dims<Dims...>, A>,
                "exprax: random::dirichlet: requires a vector alpha, or one with leading axes and no shape");
  using op = detail::named_random_op<detail::dirichlet_body<T, detail::dims<Dims...>>>;
  if constexpr (detail::check_float_dtype<T>() && detail::has_concentrations<detail::dims<Dims...>, A>)
    return detail::with_key<op>(key, alpha);
}
template <int... Dims, array_like Key, array_like A>
constexpr auto dirichlet(Key const& key, A const& alpha) {
  return dirichlet<default_float, Dims...>(key, alpha);
}
// Points of the unit ball of the p-norm in N dimensions, evenly distributed: ball<N, shape...>(key, p): [Dims..., N]; default_float if no
// dtype is given. Refused: a p that is not a scalar, a dtype that is not floating (jax.random.ball).
template <class T, int N, int... Dims, array_like Key, array_like P = int>
constexpr auto ball(Key const& key, P const& p = 2) {
  static_assert(detail::are_scalars<P>, "exprax: random::ball: p must be a scalar");
  if constexpr (detail::check_float_dtype<T>() && detail::are_scalars<P>)
    return detail::with_key<detail::named_random_op<detail::ball_body<T, N, detail::dims<Dims...>>>>(key, p);
}
template <int N, int... Dims, array_like Key, array_like P = int>
constexpr auto ball(Key const& key, P const& p = 2) {
  return ball<default_float, N, Dims...>(key, p);
}

}  // namespace random

}  // namespace exprax
