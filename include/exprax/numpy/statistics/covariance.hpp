// SPDX-License-Identifier: BSL-1.0
// Covariances (jax.numpy): cov and corrcoef of variables, which are rows, or with rowvar<false> columns; of a second array as well if
// one is given. The divisor: ddof<n>, bias; weights of the observations: fweights (how often), aweights (how much each counts).
// Longer than 300 lines: cov and corrcoef share their options and equations.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/products/dot.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/shape/transpose.hpp>
#include <exprax/numpy/shape/triangles.hpp>
#include <exprax/numpy/statistics/statistics.hpp>

namespace exprax {

template <bool Rows>
struct rowvar_t {};
// cov, corrcoef: with false the variables are columns, the observations rows.
template <bool Rows>
inline constexpr rowvar_t<Rows> rowvar{};
struct bias_t {};
// cov: the divisor is the number of observations, unless ddof says what else.
inline constexpr bias_t bias{};

namespace detail {

template <bool B>
inline constexpr option_word word_of<rowvar_t<B>>{"rowvar<b>"};
template <>
inline constexpr option_word word_of<bias_t>{"bias"};

template <class W>
struct fweights_option {
  W value;
};
template <class W>
struct aweights_option {
  W value;
};
template <class W>
inline constexpr option_word word_of<fweights_option<W>>{"fweights(w)"};
template <class W>
inline constexpr option_word word_of<aweights_option<W>>{"aweights(w)"};
template <class Y>
struct second_option {
  Y value;
};
// -1: no ddof is given.
template <class... O>
struct cov_tags {
  static constexpr bool rows = true, bias = false;
  static constexpr int ddof = -1;
};
template <bool Rows, class... Rest>
struct cov_tags<rowvar_t<Rows>, Rest...> : cov_tags<Rest...> {
  static constexpr bool rows = Rows;
};
template <class... Rest>
struct cov_tags<bias_t, Rest...> : cov_tags<Rest...> {
  static constexpr bool bias = true;
};
template <int N, class... Rest>
struct cov_tags<ddof_t<N>, Rest...> : cov_tags<Rest...> {
  static constexpr int ddof = N;
};
template <class First, class... Rest>
struct cov_tags<First, Rest...> : cov_tags<Rest...> {};

// The values of one kind of option: none or one.
template <template <class> class Kind, class... O>
constexpr auto values_of_kind([[maybe_unused]] O const&... options) {
  return std::apply([](auto const&... found) { return std::tuple(found.value...); }, find_tag<Kind>(options...));
}

// Variables as rows. Inputs: the array, the second one, fweights and aweights, as far as there are such.
template <class T, bool Rows, bool Bias, int Ddof, bool Second, bool Often, bool Much>
struct cov_body {
  template <tracer X, tracer... More>
  constexpr auto operator()(X const& x, More const&... more) const {
    [[maybe_unused]] std::tuple<More...> const values(more...);
    auto const table = [&] {
      if constexpr (Second) return joined<0>(variables<X::rank == 1>(x), second(std::get<0>(values)));
      else return variables<X::rank == 1>(x);
    }();
    using table_type = std::remove_const_t<decltype(table)>;
    constexpr int n = table_type::extent(0);
    if constexpr (n == 0 || table_type::extent(1) == 0) {
      auto const nothing = constant_like<expr<T, n, n>>(table, convert_number<T>(std::numeric_limits<float>::quiet_NaN()));
      return squeezed(nothing);
    } else {
      auto const rows = as_expr<T>(table);
      if constexpr (!Often && !Much) return squeezed(of_rows(rows, T(real_part_t<T>(table_type::extent(1) - ddof))));
      else if constexpr (!Much) return weighted(rows, abs(std::get<Second>(values)));
      else return weighted_by_size(rows, abs(std::get<Second + Often>(values)), values);
    }
  }

 private:
  static constexpr int ddof = Ddof >= 0 ? Ddof : Bias ? 0 : 1;

  template <bool Vector, class X>
  static constexpr auto variables(X const& x) {
    if constexpr (X::rank == 0) return expanded<0, 1>(x);
    else if constexpr (Vector) return expanded<0>(x);
    else if constexpr (Rows) return x;
    else return swapaxes<0, 1>(x);
  }
  template <class Y>
  static constexpr auto second(Y const& y) {  // a single row stays one
    if constexpr (Y::rank < 2) return variables<true>(y);
    else if constexpr (Y::extent(0) == 1) return y;
    else return variables<false>(y);
  }
  template <class C>
  static constexpr auto squeezed(C const& c) {
    if constexpr (C::extent(0) == 1) return squeeze(c);
    else return c;
  }
  template <class X, class N>
  static constexpr auto of_rows(X const& x, N const& n) {
    auto const centered = x - mean(x, axis<1>, keepdims);
    return dot(centered, conj(swapaxes<0, 1>(centered))) / n;
  }
  template <class X, class A, class Values>
  static constexpr auto weighted_by_size(X const& x, A const& a, Values const& values) {
    auto const w = [&] {
      if constexpr (Often) return abs(std::get<Second>(values)) * a;
      else return a;
    }();
    return weighted(x, w, a);
  }
  template <class X, class W, class... A>
  static constexpr auto weighted(X const& x, W const& weight, A const&... a) {
    auto const w = as_expr<T>(weight);
    auto const all = sum(w);
    auto const centered = x - expand_dims(sum(x * w, axis<1>) / all, axis<1>);
    auto const products = dot(centered, conj(swapaxes<0, 1>(centered * w)));
    if constexpr (ddof == 0) return squeezed(products / all);
    else if constexpr (sizeof...(A) == 0) return squeezed(products / (all - T(real_part_t<T>(ddof))));
    else return squeezed(products / (all - (T(real_part_t<T>(ddof)) * sum((w * ... * as_expr<T>(a)))) / all));
  }
};
template <class Asked, bool Rows, bool Bias, int Ddof, bool Second, bool Often, bool Much>
struct cov_op {
  template <operand X, operand... More>
  constexpr auto operator()(X const& x, More const&... more) const {
    if constexpr (Second) return with_second(x, more...);
    else
      return named_call<cov_body<result<type_in<X>>, Rows, Bias, Ddof, false, Often, Much>>(
          "cov", as_expr<strong_t<inexact_t<type_in<X>>>>(x), more...);
  }

 private:
  template <class T>
  using result = std::conditional_t<std::is_void_v<Asked>, strong_t<inexact_t<T>>, Asked>;

  template <class X, class Y, class... More>
  static constexpr auto with_second(X const& x, Y const& y, More const&... more) {
    using type = strong_t<inexact_t<promote_t<type_in<X>, type_in<Y>>>>;
    return named_call<cov_body<result<type>, Rows, Bias, Ddof, true, Often, Much>>("cov", as_expr<type>(x), as_expr<type>(y), more...);
  }
};
template <class Asked, bool Rows, bool Second>
struct corrcoef_body {
  template <tracer... X>
  constexpr auto operator()(X const&... x) const {
    auto const c = cov_op<Asked, Rows, false, -1, Second, false, false>{}(x...);
    using C = std::remove_const_t<decltype(c)>;
    using T = typename C::dtype_type;
    if constexpr (C::rank == 0) {
      return c / c;
    } else {
      auto const deviations = as_expr<T>(sqrt(real(diagonal(c))));
      auto const r = c / expand_dims(deviations, axis<1>) / expand_dims(deviations, axis<0>);
      using part = real_part_t<T>;
      if constexpr (is_complex(dtype_of<T>)) return lax::complex(clip(real(r), part(-1), part(1)), clip(imag(r), part(-1), part(1)));
      else return clip(r, part(-1), part(1));
    }
  }
};
template <class Asked, bool Rows, bool Second>
struct corrcoef_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    using type = strong_t<inexact_t<promote_t<type_in<X>...>>>;
    return named_call<corrcoef_body<Asked, Rows, Second>>("corrcoef", as_expr<type>(x)...);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X>
inline constexpr bool is_at_most_a_table = rank_in<X> <= 2;
// How many observations there are.
template <class X, bool Rows>
inline constexpr int observations = rank_in<X> == 0 ? 1 : rank_in<X> == 1 ? aval_in<X>.dims[0] : aval_in<X>.dims[Rows];
template <class X, class Y, bool Rows>
inline constexpr bool observe_alike = observations<X, Rows> == observations<Y, Rows || (rank_in<Y> == 2 && aval_in<Y>.dims[0] == 1)>;
template <class W, int N>
inline constexpr bool weighs_observations = rank_in<W> == 1 && aval_in<W>.size() == N;
template <class T>
inline constexpr bool is_void_or_inexact = is_inexact(dtype_of<T>);
template <>
inline constexpr bool is_void_or_inexact<void> = true;

template <class O>
inline constexpr bool counts_by_integers = true;
template <class W>
inline constexpr bool counts_by_integers<fweights_option<W>> = is_integer(aval_in<W>.type);
template <int N, class O>
inline constexpr bool weights_fit = true;
template <int N, class W>
inline constexpr bool weights_fit<N, fweights_option<W>> = weighs_observations<W, N>;
template <int N, class W>
inline constexpr bool weights_fit<N, aweights_option<W>> = weighs_observations<W, N>;

template <class X, class... O>
constexpr auto covariance(X const& x, O const&... options) {
  using tags = cov_tags<O...>;
  using T = named_dtype_t<O...>;
  constexpr bool fit = (weights_fit<observations<X, tags::rows>, O> && ...), counted = (counts_by_integers<O> && ...);
  static_assert(is_at_most_a_table<X>, "exprax: cov: arrays must have at most 2 dimensions");
  static_assert(is_void_or_inexact<T>, "exprax: cov: dtype must be a floating or complex one");
  static_assert(
      fit, "exprax: cov: incompatible numbers of samples and weights: fweights and aweights are vectors with one for each observation");
  static_assert(counted, "exprax: cov: fweights must be integers");
  if constexpr (is_at_most_a_table<X> && is_void_or_inexact<T> && fit && counted) {
    using op = cov_op<T, tags::rows, tags::bias, tags::ddof, has_tag<second_option, O...>, has_tag<fweights_option, O...>,
                      has_tag<aweights_option, O...>>;
    return std::apply([](auto const&... values) { return apply<op>(values...); },
                      std::tuple_cat(std::tuple<X>(x), values_of_kind<second_option>(options...),
                                     values_of_kind<fweights_option>(options...), values_of_kind<aweights_option>(options...)));
  } else {
    return x;  // after the error: nothing that leads to others
  }
}

// y counts only if Second.
template <bool Second, class... O, class X, class Y>
constexpr auto correlation(X const& x, Y const& y) {
  constexpr bool rows = cov_tags<O...>::rows;
  static_assert(is_at_most_a_table<X> && is_at_most_a_table<Y>, "exprax: corrcoef: arrays must have at most 2 dimensions");
  static_assert(observe_alike<X, Y, rows>, "exprax: corrcoef: the arrays must have the same number of observations");
  using op = corrcoef_op<named_dtype_t<O...>, rows, Second>;
  if constexpr (Second) return apply<op>(x, y);
  else return apply<op>(x);
}

}  // namespace detail

// Options of cov: fweights(w), how often each observation was made, a vector of integers; aweights(w), how much each counts, a vector
// (fweights=, aweights= of jax.numpy.cov).
inline constexpr struct fweights_function {
  template <array_like W>
  constexpr detail::fweights_option<W> operator()(W const& w) const {
    return {w};
  }
} fweights{};
inline constexpr struct aweights_function {
  template <array_like W>
  constexpr detail::aweights_option<W> operator()(W const& w) const {
    return {w};
  }
} aweights{};

// The covariances of n variables: [n, observations] -> [n, n], a scalar of one variable; of the variables of x and of y together, in the
// promoted dtype, if both are given. The divisor is the number of observations less 1, or less k with ddof<k>. Dtype: one that is named,
// cov(x, float64), or x's; integers become float32 (x64: float64). Refused: more than two axes, a dtype that is not floating or complex,
// different numbers of observations, weights that are not one for each observation, fweights that are not integers (jax.numpy.cov).
inline constexpr struct cov_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("cov", "rowvar<b>, bias, ddof<n>, dtype_<T>, fweights(w), aweights(w)", O...) return detail::covariance(x, options...);
    else return x;
  }
  template <array_like X, array_like Y, class... O>
  constexpr auto operator()(X const& x, Y const& y, O const&... options) const {
    EXPRAX_TAKES("cov", "rowvar<b>, bias, ddof<n>, dtype_<T>, fweights(w), aweights(w)", O...) {
      using tags = detail::cov_tags<O...>;
      static_assert(detail::is_at_most_a_table<Y>, "exprax: cov: arrays must have at most 2 dimensions");
      static_assert(detail::observe_alike<X, Y, tags::rows>, "exprax: cov: the arrays must have the same number of observations");
      if constexpr (detail::is_at_most_a_table<Y> && detail::observe_alike<X, Y, tags::rows>)
        return detail::covariance(x, detail::second_option<Y>{y}, options...);
      else return x;  // after the error: nothing that leads to others
    } else {
      return x;
    }
  }
} cov{};
// The covariances divided by the standard deviations, between -1 and 1: [n, observations] -> [n, n], a scalar of one variable; of x and y
// together if both are given. Options: rowvar<b>, dtype_<T>. Dtype and errors as of cov (jax.numpy.corrcoef).
inline constexpr struct corrcoef_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&...) const {
    EXPRAX_TAKES("corrcoef", "rowvar<b>, dtype_<T>", O...) return detail::correlation<false, O...>(x, x);
    else return x;
  }
  template <array_like X, array_like Y, class... O>
  constexpr auto operator()(X const& x, Y const& y, O const&...) const {
    EXPRAX_TAKES("corrcoef", "rowvar<b>, dtype_<T>", O...) return detail::correlation<true, O...>(x, y);
    else return x;
  }
} corrcoef{};

}  // namespace exprax
