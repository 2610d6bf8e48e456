// SPDX-License-Identifier: BSL-1.0
// Running sums and products that pass NaN over (jax.numpy): nancumsum, nancumprod.
#pragma once

#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/statistics/statistics.hpp>

namespace exprax {

namespace detail {

// NaN counts as 0, or as 1.
template <prim P, class Tags, class Asked>
struct nan_cumulative_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using T = strong_t<type_in<X>>;
    if constexpr (is_inexact(dtype_of<T>))
      return named_cumulative_op<P, Tags, Asked>{}(
          where(isnan(x), literal<T>(convert_number<T>(P == prim::cumsum ? 0 : 1)), as_expr<T>(x)));
    else
      return named_cumulative_op<P, Tags, Asked>{}(x);
  }
};

}  // namespace detail

// nancumsum(x), nancumprod(x): cumsum and cumprod in which NaN counts as 0, or as 1 (jax.numpy.nancumsum, jax.numpy.nancumprod). Shapes,
// dtypes, tags and errors are theirs.
inline constexpr struct nancumsum_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("nancumsum", "axis<k>, dtype_<T>, reverse", Tags...) {
      static_assert(detail::has_that_axis<X, Tags...>, "exprax: nancumsum: the axis is out of range for the array");
      return detail::apply<detail::nan_cumulative_op<prim::cumsum, detail::running_tags<Tags...>, detail::named_dtype_t<Tags...>>>(x);
    } else {
      return x;
    }
  }
} nancumsum{};
inline constexpr struct nancumprod_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("nancumprod", "axis<k>, dtype_<T>, reverse", Tags...) {
      static_assert(detail::has_that_axis<X, Tags...>, "exprax: nancumprod: the axis is out of range for the array");
      return detail::apply<detail::nan_cumulative_op<prim::cumprod, detail::running_tags<Tags...>, detail::named_dtype_t<Tags...>>>(x);
    } else {
      return x;
    }
  }
} nancumprod{};

}  // namespace exprax
