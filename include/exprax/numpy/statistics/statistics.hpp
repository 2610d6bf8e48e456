// SPDX-License-Identifier: BSL-1.0
// Statistics along axes (jax.numpy): var, std, ptp, average, count_nonzero. All over all axes, or axis<...>, with keepdims; where_(mask)
// for those that are sums.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/complex.hpp>
#include <exprax/numpy/elementwise/elementwise.hpp>
#include <exprax/numpy/reductions/reduction_options.hpp>

namespace exprax {

namespace detail {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// jax.numpy's _var. Root: of the standard deviation.
template <bool Root>
struct var_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    using named = named_dtype<O...>;
    using asked = typename named::template or_else<strong_t<inexact_t<type_in<X>>>>;
    using result = std::conditional_t<named::given, asked, real_part_t<asked>>;
    using type = computed_in_t<asked>;
    static_assert(!named::given || is_complex(dtype_of<type>) || !is_complex(aval_in<X>.type),
                  "exprax: var: of complex numbers the variance takes no real dtype: leave it out, or take ex::abs first");
    auto const a = as_expr<type>(x);
    auto const total = [&](auto const& v, auto const&... tags) {
      return reduced<prim::reduce_sum, reduction_tags<O..., std::remove_cvref_t<decltype(tags)>...>>(v);
    };
    auto const mean = [&] {
      if constexpr (has_tag<mean_option, O...>) return as_expr<type>(std::get<0>(find_tag<mean_option>(options...)).value);
      else return total(masked(a, type(0), options...), keepdims) / counted_elements<type>(a, options..., keepdims);
    }();
    using part = real_part_t<type>;  // the squares of magnitudes, for complex numbers
    auto const squares = total(masked(squared_magnitude(a - mean), part(0), options...));
    auto const n = counted_elements<part>(a, options...) - part(ddof_of<O...>);
    auto const variance = [&] {
      if constexpr (has_tag<where_option, O...>) return where(n > part(0), squares / n, not_a_number);
      else if (n > part(0)) return squares / n;
      else return squares * part(not_a_number);
    }();
    if constexpr (Root) return as_expr<result>(sqrt(variance));
    else return as_expr<result>(variance);
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

template <class X, class W>
constexpr bool is_of_axes(axis_set const& named) {
  if (aval_in<W>.rank != named.n) return false;
  for (int i = 0; i < named.n; ++i)
    if (aval_in<W>.dims[i] != aval_in<X>.dims[named.of[i]]) return false;
  return true;
}
// Weights that have the shape of X, or of the axes that are named in their order: of the shape of X.
template <class X, class W, class Axes>
inline constexpr bool weighs_axes = aval_in<W>.same_shape(aval_in<X>) || is_of_axes<X, W>(Axes::template named_axes<X>);
template <class X, class Axes, tracer W>
constexpr auto spread_weights(W const& w) {
  constexpr axis_set axes = Axes::template axes<X>, named = Axes::template named_axes<X>;
  if constexpr (aval_in<W>.same_shape(aval_in<X>) || !weighs_axes<X, W, Axes>) {
    return w;
  } else {
    param_list order, places;
    for (int i = 0; i < axes.n; ++i) {
      places.push(axes.of[i]);
      for (int k = 0; k < axes.n; ++k)
        if (named.of[k] == axes.of[i]) order.push(k);
    }
    using out = expr_like<X, type_in<W>>;
    return untyped::as<out>(untyped::broadcast_in_dim(untyped::transpose(untyped::from(w), order), out::type, places));
  }
}

template <class X, class Tags, class O>
inline constexpr bool weights_fit_axes = true;
template <class X, class Tags, class W>
inline constexpr bool weights_fit_axes<X, Tags, weights_option<W>> = weighs_axes<X, W, Tags>;
template <class X, class... O>
inline constexpr bool averages = (weights_fit_axes<X, reduction_tags<O...>, O> && ...);

struct returned_t {};
template <>
inline constexpr option_word word_of<returned_t>{"returned"};
template <class... Rest>
struct reduction_tags<returned_t, Rest...> : reduction_tags<Rest...> {};
// jax.numpy's _average: weights of the array's shape, or of the axes that are named, in that order.
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
};

}  // namespace detail

// average gives a pair: the average and the sum of the weights.
inline constexpr detail::returned_t returned{};

// The mean of the squared distances from the mean, which mean_(m) gives if it is known; ddof<k> divides by n - k. NaN where nothing is
// left. Dtype: one that is named, var(x, float64), or x's, of complex x the real one; integers become float32 (x64: float64). Refused: an
// axis out of range, a real dtype for complex x (jax.numpy.var).
inline constexpr struct var_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("var", "axis<...>, dtype_<T>, keepdims, where_(mask), ddof<n>, mean_(m)", O...) {
      static_assert(detail::reduces<X, O...>, "exprax: var: an axis is repeated, or out of range for the array");
      return detail::apply_with_options<detail::var_body<false>>(x, options...);
    } else {
      return x;
    }
  }
} var{};
// The square root of var; the same options, dtype and errors (jax.numpy.std).
inline constexpr struct std_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("std", "axis<...>, dtype_<T>, keepdims, where_(mask), ddof<n>, mean_(m)", O...) {
      static_assert(detail::reduces<X, O...>, "exprax: std: an axis is repeated, or out of range for the array");
      return detail::apply_with_options<detail::var_body<true>>(x, options...);
    } else {
      return x;
    }
  }
} std{};
// The largest less the smallest element; dtype of x. Refused: an axis out of range (jax.numpy.ptp).
inline constexpr struct ptp_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags... tags) const {
    EXPRAX_TAKES("ptp", "axis<...>, keepdims", Tags...) {
      static_assert(detail::reduces<X, Tags...>, "exprax: ptp: an axis is repeated, or out of range for the array");
      return detail::apply_with_options<detail::ptp_body>(x, tags...);
    } else {
      return x;
    }
  }
} ptp{};
// How many elements are not zero: default_int. Refused: an axis out of range (jax.numpy.count_nonzero).
inline constexpr struct count_nonzero_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags... tags) const {
    EXPRAX_TAKES("count_nonzero", "axis<...>, keepdims", Tags...) {
      static_assert(detail::reduces<X, Tags...>, "exprax: count_nonzero: an axis is repeated, or out of range for the array");
      return detail::apply_with_options<detail::count_nonzero_body>(x, tags...);
    } else {
      return x;
    }
  }
} count_nonzero{};
// The mean, weighted by weights(w), which have the shape of x or of the named axes; with ex::returned a tuple (average, sum of the
// weights). The promoted dtype; integers become float32 (x64: float64). Refused: weights of another shape, an axis out of range
// (jax.numpy.average).
inline constexpr struct average_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("average", "axis<...>, keepdims, weights(w), returned", O...) {
      static_assert(detail::reduces<X, O...>, "exprax: average: an axis is repeated, or out of range for the array");
      static_assert(
          detail::averages<X, O...>,
          "exprax: average: the weights must have the shape of the array, or that of the axes, in the order in which they are given");
      if constexpr (detail::reduces<X, O...> && detail::averages<X, O...>)
        return detail::apply_with_options<detail::average_body<(std::is_same_v<O, detail::returned_t> || ...)>>(x, options...);
      else return x;  // after the error: nothing that leads to others
    } else {
      return x;
    }
  }
} average{};

}  // namespace exprax
