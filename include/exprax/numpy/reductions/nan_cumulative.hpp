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
template <class T = void, array_like X, class... Tags>
constexpr auto nancumsum(X const& x, Tags...) {
  EXPRAX_TAKES("nancumsum", "axis<k>, reverse", Tags...) {
    static_assert(detail::has_that_axis<X, Tags...>, "exprax: nancumsum: the axis is out of range for the array");
    return detail::apply<detail::nan_cumulative_op<prim::cumsum, detail::running_tags<Tags...>, detail::asked_or_void<T>>>(x);
  } else {
    return x;
  }
}
template <class T = void, array_like X, class... Tags>
constexpr auto nancumprod(X const& x, Tags...) {
  EXPRAX_TAKES("nancumprod", "axis<k>, reverse", Tags...) {
    static_assert(detail::has_that_axis<X, Tags...>, "exprax: nancumprod: the axis is out of range for the array");
    return detail::apply<detail::nan_cumulative_op<prim::cumprod, detail::running_tags<Tags...>, detail::asked_or_void<T>>>(x);
  } else {
    return x;
  }
}

}  // namespace exprax
