// SPDX-License-Identifier: BSL-1.0
// Reductions and statistics that pass NaN over (jax.numpy): nansum, nanprod, nanmax, nanmin, nanmean, nanvar, nanstd. All over all axes,
// or axis<...>, with keepdims; where_(mask) for those that are sums.
#pragma once

#include <exprax/numpy/statistics/statistics.hpp>

namespace exprax {

namespace detail {

// jax.numpy's _nan_reduction: NaN counts as a value that changes nothing.
template <class Body, bool Largest, bool Extremum, int Neutral>
struct nan_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    if constexpr (!is_inexact(aval_in<X>.type)) {
      return Body{}(x, options...);
    } else {
      auto const nans = isnan(x);
      using T = strong_t<type_in<X>>;
      constexpr float infinite = Largest ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
      auto const neutral = literal<T>(convert_number<T>(Extremum ? infinite : float(Neutral)));
      auto const out = Body{}(where(nans, neutral, as_expr<T>(x)), options...);
      constexpr T nan = convert_number<T>(std::numeric_limits<float>::quiet_NaN());
      if constexpr (Extremum && !has_tag<initial_option, O...>)
        return where(reduced<prim::reduce_and, reduction_tags<O...>>(nans), literal<T>(nan), out);
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
constexpr auto count_without_nan(X const& x, O const&... options) {
  auto const counted = where(isnan(x), literal<T>(T(0)), literal<T>(T(1)));
  return reduced<prim::reduce_sum, reduction_tags<O...>>(masked(counted, T(0), options...));
}
struct nanmean_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    if constexpr (!is_inexact(aval_in<X>.type)) {
      return mean_body{}(x, options...);
    } else {
      using result = typename named_dtype<O...>::template or_else<strong_t<type_in<X>>>;
      using type = summed_in_t<result, O...>;
      auto const a = as_expr<type>(x);
      constexpr type zero = convert_number<type>(0);
      auto const total = reduced<prim::reduce_sum, reduction_tags<O...>>(masked(where(isnan(a), literal<type>(zero), a), zero, options...));
      return as_expr<result>(total / count_without_nan<type>(a, options...));
    }
  }
};
template <bool Root>
struct nanvar_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    if constexpr (!is_inexact(aval_in<X>.type)) {
      return var_body<Root>{}(x, options...);
    } else {
      using named = named_dtype<O...>;
      using asked = typename named::template or_else<strong_t<type_in<X>>>;
      using result = std::conditional_t<named::given, asked, real_part_t<asked>>;
      using type = computed_in_t<asked>;
      using part = real_part_t<type>;
      static_assert(is_complex(dtype_of<type>) || !is_complex(aval_in<X>.type),
                    "exprax: nanvar: of complex numbers the variance takes no real dtype: leave it out, or take ex::abs first");
      auto const a = as_expr<type>(x);
      auto const zero = literal<type>(type(0));
      auto const mean = [&] {
        if constexpr (has_tag<mean_option, O...>) return as_expr<type>(std::get<0>(find_tag<mean_option>(options...)).value);
        else return reduced<prim::reduce_sum, reduction_tags<O..., keepdims_t>>(masked(where(isnan(a), zero, a), type(0), options...)) /
                    count_without_nan<type>(a, options..., keepdims);
      }();
      auto const squares =
          reduced<prim::reduce_sum, reduction_tags<O...>>(masked(squared_magnitude(where(isnan(a), zero, a - mean)), part(0), options...));
      auto const n = count_without_nan<part>(a, options...) - part(ddof_of<O...>);
      auto const variance = where(n <= part(0), literal<part>(part(not_a_number)), squares / where(n <= part(0), literal<part>(1), n));
      if constexpr (Root) return as_expr<result>(sqrt(variance));
      else return as_expr<result>(variance);
    }
  }
};

}  // namespace detail

// The sum and the product of the elements that are not NaN; of none 0 and 1. Dtype: one that is named, nansum(x, float64), or as of sum and
// prod (jax.numpy.nansum, nanprod).
inline constexpr struct nansum_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("nansum", "axis<...>, dtype_<T>, keepdims, initial(v), where_(mask)", O...)
    return detail::apply_with_options<detail::nan_body<detail::sum_body<prim::reduce_sum, prim::add>, false, false, 0>>(
        x, options...);
    else return x;
  }
} nansum{};
inline constexpr struct nanprod_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("nanprod", "axis<...>, dtype_<T>, keepdims, initial(v), where_(mask)", O...)
    return detail::apply_with_options<detail::nan_body<detail::sum_body<prim::reduce_prod, prim::mul>, false, false, 1>>(
        x, options...);
    else return x;
  }
} nanprod{};
// The largest (nanmax) and the smallest (nanmin) of the elements that are not NaN; NaN where all are NaN and no initial(v) is given. Dtype
// of x (jax.numpy.nanmax, nanmin).
inline constexpr struct nanmax_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("nanmax", "axis<...>, keepdims, initial(v), where_(mask)", O...)
      return detail::apply_with_options<detail::nan_body<detail::plain_max, true, true, 0>>(x, options...);
    else return x;
  }
} nanmax{};
inline constexpr struct nanmin_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("nanmin", "axis<...>, keepdims, initial(v), where_(mask)", O...)
      return detail::apply_with_options<detail::nan_body<detail::plain_min, false, true, 0>>(x, options...);
    else return x;
  }
} nanmin{};
// mean, var and std of the elements that are not NaN; NaN where there are none. Dtype as of mean, var and std (jax.numpy.nanmean, nanvar,
// nanstd).
inline constexpr struct nanmean_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("nanmean", "axis<...>, dtype_<T>, keepdims, where_(mask)", O...)
    return detail::apply_with_options<detail::nanmean_body>(x, options...);
    else return x;
  }
} nanmean{};
inline constexpr struct nanvar_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("nanvar", "axis<...>, dtype_<T>, keepdims, where_(mask), ddof<n>, mean_(m)", O...)
      return detail::apply_with_options<detail::nanvar_body<false>>(x, options...);
    else return x;
  }
} nanvar{};
inline constexpr struct nanstd_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("nanstd", "axis<...>, dtype_<T>, keepdims, where_(mask), ddof<n>, mean_(m)", O...)
      return detail::apply_with_options<detail::nanvar_body<true>>(x, options...);
    else return x;
  }
} nanstd{};

}  // namespace exprax
