// SPDX-License-Identifier: BSL-1.0
// Statistics along axes (jax.numpy): var, std, ptp, average, count_nonzero; and reductions that pass NaN over: nansum, nanprod,
// nanmax, nanmin, nanmean, nanvar, nanstd. All over all axes, or axis<...>, with keepdims; where_(mask) for those that are sums.
#pragma once

#include <exprax/numpy/complex.hpp>
#include <exprax/numpy/elementwise.hpp>
#include <exprax/numpy/operators.hpp>
#include <exprax/numpy/reduction_options.hpp>

namespace exprax {

namespace detail {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// jax.numpy's _var. Root: of the standard deviation.
template <bool Root>
struct var_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    using result = strong_t<inexact_t<type_in<X>>>;
    using type = computed_in_t<result>;
    auto const a = as_expr<type>(x);
    auto const total = [&](auto const& v, auto const&... tags) { return reduced<prim::reduce_sum, reduction_tags<O..., std::remove_cvref_t<decltype(tags)>...>>(v); };
    auto const mean = total(masked(a, type(0), options...), keepdims) / counted_elements<type>(a, options..., keepdims);
    using part = real_part_t<type>;  // the squares of magnitudes, for complex numbers
    auto const squares = total(masked(squared_magnitude(a - mean), part(0), options...));
    auto const n = counted_elements<part>(a, options...) - part(ddof_of<O...>);
    auto const variance = [&] {
      if constexpr (has_tag<where_option, O...>) return where(n > part(0), squares / n, not_a_number);
      else if (n > part(0)) return squares / n;
      else return squares * part(not_a_number);
    }();
    if constexpr (Root) return as_expr<real_part_t<result>>(sqrt(variance));
    else return as_expr<real_part_t<result>>(variance);
  }
};
struct ptp_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    return max(x, options...) - min(x, options...);
  }
};
struct count_nonzero_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    return sum(not_equal(x, 0), options...);
  }
};

struct returned_t {};
// jax.numpy's _average: weights of the array's shape, or of one axis.
template <bool Returned>
struct average_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    using tags = reduction_tags<O...>;
    if constexpr (!has_tag<weights_option, O...>) {
      auto const average = mean_body{}(x, options...);
      using T = typename decltype(average)::dtype_type;
      auto const count = literal<T>(static_cast<strong_t<T>>(reduced_shape<X, tags>::count));
      if constexpr (Returned) return std::tuple(average, broadcast_shape<shape_in<std::remove_const_t<decltype(average)>>>(count));
      else return average;
    } else {
      auto const w = std::get<0>(find_tag<weights_option>(options...)).value;
      using W = std::remove_cvref_t<decltype(w)>;
      using type = strong_t<inexact_t<promote_t<type_in<X>, type_in<W>>>>;
      auto const a = as_expr<type>(x);
      auto const factors = spread_weights<X, tags>(as_expr<type>(w));
      auto const all = reduced<prim::reduce_sum, tags>(broadcast_shape<shape_in<std::remove_const_t<decltype(a)>>>(factors));
      auto const average = reduced<prim::reduce_sum, tags>(a * factors) / all;
      if constexpr (Returned) return std::tuple(average, all);
      else return average;
    }
  }

 private:
  template <class X, class Axes, class W>
  static constexpr auto spread_weights(W const& w) {
    constexpr axis_set axes = Axes::template axes<X>;
    static_assert(aval_in<W>.same_shape(aval_in<X>) || (axes.n == 1 && aval_in<W>.rank == 1 && aval_in<W>.dims[0] == aval_in<X>.dims[axes.of[0]]),
                  "exprax: average: the weights must have the shape of the array, or be a vector along the one axis that is given");
    if constexpr (aval_in<W>.same_shape(aval_in<X>)) return w;
    else return bind<expr_from<shaped_as<shape_in<X>, W>>>(prim::broadcast_in_dim, along_axis<X, Axes::template axes<X>.of[0]>, w);
  }
  template <class X, int Axis>
  static constexpr param_list along_axis = [] {
    param_list l;
    for (int i = 0; i < aval_in<X>.rank; ++i) l.push(aval_in<X>.dims[i]);
    l.push(Axis);
    return l;
  }();
};

// jax.numpy's _nan_reduction: NaN counts as a value that changes nothing.
template <class Body, bool Largest, bool Extremum, int Neutral>
struct nan_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    if constexpr (!is_floating(aval_in<X>.type)) {
      return Body{}(x, options...);
    } else {
      auto const nans = isnan(x);
      using T = strong_t<type_in<X>>;
      constexpr float infinite = Largest ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
      auto const out = Body{}(where(nans, literal<T>(T(Extremum ? infinite : float(Neutral))), as_expr<T>(x)), options...);
      if constexpr (Extremum) return where(reduced<prim::reduce_and, reduction_tags<O...>>(nans), literal<T>(T(std::numeric_limits<float>::quiet_NaN())), out);
      else return out;
    }
  }
};
struct plain_max {
  template <class X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    return max(x, options...);
  }
};
struct plain_min {
  template <class X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    return min(x, options...);
  }
};
// The elements that are numbers, and count.
template <class T, tracer X, class... O>
constexpr auto numbers_counted(X const& x, O const&... options) {
  auto const numbers = where(isnan(x), literal<T>(T(0)), literal<T>(T(1)));
  return reduced<prim::reduce_sum, reduction_tags<O...>>(masked(numbers, T(0), options...));
}
struct nanmean_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    if constexpr (!is_floating(aval_in<X>.type)) {
      return mean_body{}(x, options...);
    } else {
      using result = strong_t<type_in<X>>;
      using type = computed_in_t<result>;
      auto const a = as_expr<type>(x);
      auto const total = reduced<prim::reduce_sum, reduction_tags<O...>>(masked(where(isnan(a), literal<type>(0), a), type(0), options...));
      return as_expr<result>(total / numbers_counted<type>(a, options...));
    }
  }
};
template <bool Root>
struct nanvar_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    if constexpr (!is_floating(aval_in<X>.type)) {
      return var_body<Root>{}(x, options...);
    } else {
      using result = strong_t<type_in<X>>;
      using type = computed_in_t<result>;
      auto const a = as_expr<type>(x);
      auto const zero = literal<type>(0);
      auto const mean = reduced<prim::reduce_sum, reduction_tags<O..., keepdims_t>>(masked(where(isnan(a), zero, a), type(0), options...)) /
                        numbers_counted<type>(a, options..., keepdims);
      auto const squares = reduced<prim::reduce_sum, reduction_tags<O...>>(masked(squared_magnitude(where(isnan(a), zero, a - mean)), type(0), options...));
      auto const n = numbers_counted<type>(a, options...) - type(ddof_of<O...>);
      auto const variance = where(n <= type(0), literal<type>(type(not_a_number)), squares / where(n <= type(0), literal<type>(1), n));
      if constexpr (Root) return as_expr<result>(sqrt(variance));
      else return as_expr<result>(variance);
    }
  }
};

}  // namespace detail

// average gives a pair: the average and the sum of the weights.
inline constexpr detail::returned_t returned{};

// The mean of the squared distances from the mean (jax.numpy.var): floats; ddof<1> divides by n - 1. NaN where nothing is left.
template <array_like X, detail::reduction_option... O>
constexpr auto var(X const& x, O const&... options) {
  static_assert(detail::reduces<X, O...>, "exprax: var: an axis is repeated, or out of range for the array");
  return detail::apply_with_options<detail::var_body<false>>(x, options...);
}
// Its square root (jax.numpy.std).
template <array_like X, detail::reduction_option... O>
constexpr auto std(X const& x, O const&... options) {
  static_assert(detail::reduces<X, O...>, "exprax: std: an axis is repeated, or out of range for the array");
  return detail::apply_with_options<detail::var_body<true>>(x, options...);
}
// The largest less the smallest (jax.numpy.ptp).
template <array_like X, detail::reduction_tag... Tags>
constexpr auto ptp(X const& x, Tags... tags) {
  static_assert(detail::reduces<X, Tags...>, "exprax: ptp: an axis is repeated, or out of range for the array");
  return detail::apply_with_options<detail::ptp_body>(x, tags...);
}
// How many elements are not zero (jax.numpy.count_nonzero): int32.
template <array_like X, detail::reduction_tag... Tags>
constexpr auto count_nonzero(X const& x, Tags... tags) {
  static_assert(detail::reduces<X, Tags...>, "exprax: count_nonzero: an axis is repeated, or out of range for the array");
  return detail::apply_with_options<detail::count_nonzero_body>(x, tags...);
}
// The mean, weighted by weights(w) if given (jax.numpy.average); with ex::returned and the sum of the weights.
template <array_like X, detail::reduction_option... O>
constexpr auto average(X const& x, O const&... options) {
  static_assert(detail::reduces<X, O...>, "exprax: average: an axis is repeated, or out of range for the array");
  return detail::apply_with_options<detail::average_body<false>>(x, options...);
}
template <array_like X, detail::reduction_option... O>
constexpr auto average(X const& x, detail::returned_t, O const&... options) {
  static_assert(detail::reduces<X, O...>, "exprax: average: an axis is repeated, or out of range for the array");
  return detail::apply_with_options<detail::average_body<true>>(x, options...);
}

template <array_like X, detail::reduction_option... O>
constexpr auto nansum(X const& x, O const&... options) {
  return detail::apply_with_options<detail::nan_body<detail::sum_body<prim::reduce_sum, prim::add>, false, false, 0>>(x, options...);
}
template <array_like X, detail::reduction_option... O>
constexpr auto nanprod(X const& x, O const&... options) {
  return detail::apply_with_options<detail::nan_body<detail::sum_body<prim::reduce_prod, prim::mul>, false, false, 1>>(x, options...);
}
// NaN where all is NaN, as the next.
template <array_like X, detail::reduction_option... O>
constexpr auto nanmax(X const& x, O const&... options) {
  return detail::apply_with_options<detail::nan_body<detail::plain_max, true, true, 0>>(x, options...);
}
template <array_like X, detail::reduction_option... O>
constexpr auto nanmin(X const& x, O const&... options) {
  return detail::apply_with_options<detail::nan_body<detail::plain_min, false, true, 0>>(x, options...);
}
template <array_like X, detail::reduction_option... O>
constexpr auto nanmean(X const& x, O const&... options) {
  return detail::apply_with_options<detail::nanmean_body>(x, options...);
}
template <array_like X, detail::reduction_option... O>
constexpr auto nanvar(X const& x, O const&... options) {
  return detail::apply_with_options<detail::nanvar_body<false>>(x, options...);
}
template <array_like X, detail::reduction_option... O>
constexpr auto nanstd(X const& x, O const&... options) {
  return detail::apply_with_options<detail::nanvar_body<true>>(x, options...);
}

}  // namespace exprax
