// SPDX-License-Identifier: BSL-1.0
// ex::lax: the reductions of jax.lax: reduce_sum and its like, running reductions in the dtype of their operand (cumsum, cumprod), argmax
// and argmin with a dtype of indices, approx_max_k, approx_min_k; and those that mean the same in ex.
#pragma once

#include <exprax/numpy/reductions/argument_extrema.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/reductions/logsumexp.hpp>
#include <exprax/numpy/reductions/reduce_by.hpp>
#include <exprax/numpy/reductions/reduce_window.hpp>
#include <exprax/numpy/sorting/sorting.hpp>
#include <exprax/numpy/sorting/top_k.hpp>

namespace exprax {

namespace detail {

template <int Axis, int K, bool Least>
struct approximate_top_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Least) {
      auto const found = top_k<K>(negative(x), axis<Axis>);
      return std::tuple(negative(std::get<0>(found)), std::get<1>(found));
    } else {
      return top_k<K>(as_traced(x), axis<Axis>);
    }
  }
};

// Running sums and products in the operand's own dtype.
template <prim P, class Tags>
struct own_cumulative_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return running<P, Tags>(as_traced(x));
  }
};
template <prim P, class T, int Axis>
struct typed_argument_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return as_expr<T>(argument_of<P, one_axis_tags<axis_t<Axis>>>(as_traced(x)));
  }
};

template <prim P, int... Axes>
struct lax_reduction_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    static_assert(normal_axes<Axes...>(rank_in<X>).valid, "exprax: lax::reduce: an axis is repeated, or out of range for the array");
    return reduced<P, reduction_tags<axis_t<Axes...>>>(as_expr<strong_t<type_in<X>>>(x));
  }
};

}  // namespace detail

namespace lax {

// (values, indices) of the K largest (approx_max_k) or least (approx_min_k) along axis<k> (the last one), found exactly: [..., n] -> [...,
// K], dtype of x and int32. Refused as in top_k (jax.lax.approx_max_k, approx_min_k).
template <int K, array_like X, int Axis = -1>
constexpr auto approx_max_k(X const& x, axis_t<Axis> = {}) {
  return detail::apply<detail::approximate_top_op<Axis, K, false>>(x);
}
template <int K, array_like X, int Axis = -1>
constexpr auto approx_min_k(X const& x, axis_t<Axis> = {}) {
  return detail::apply<detail::approximate_top_op<Axis, K, true>>(x);
}
// Running sums (cumsum) and products (cumprod) along axis<k> (0); reverse: from the end. Shape and dtype of x. Refused: an axis out of
// range (jax.lax.cumsum, cumprod).
inline constexpr struct cumsum_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("lax::cumsum", "axis<k>, reverse", Tags...) {
      static_assert(detail::goes_along_an_axis<X, Tags...>, "exprax: lax.cumsum: the axis is out of range for the array");
      return detail::apply<detail::own_cumulative_op<prim::cumsum, detail::running_tags<Tags...>>>(x);
    } else {
      return x;
    }
  }
} cumsum{};
inline constexpr struct cumprod_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("lax::cumprod", "axis<k>, reverse", Tags...) {
      static_assert(detail::goes_along_an_axis<X, Tags...>, "exprax: lax.cumprod: the axis is out of range for the array");
      return detail::apply<detail::own_cumulative_op<prim::cumprod, detail::running_tags<Tags...>>>(x);
    } else {
      return x;
    }
  }
} cumprod{};
// The index of the first largest (argmax) or smallest (argmin) element, or of the first NaN: argmax<std::int64_t>(x, axis<0>): [..., n,
// ...] -> [...] of this dtype. Refused: an index dtype that is not an integer (jax.lax.argmax, argmin).
template <class Index, array_like X, int Axis>
constexpr auto argmax(X const& x, axis_t<Axis>) {
  static_assert(is_integer(dtype_of<Index>), "exprax: lax.argmax: index_dtype must be an integer dtype");
  return detail::apply<detail::typed_argument_op<prim::argmax, canonical_t<Index>, Axis>>(x);
}
template <class Index, array_like X, int Axis>
constexpr auto argmin(X const& x, axis_t<Axis>) {
  static_assert(is_integer(dtype_of<Index>), "exprax: lax.argmin: index_dtype must be an integer dtype");
  return detail::apply<detail::typed_argument_op<prim::argmin, canonical_t<Index>, Axis>>(x);
}
using exprax::cumlogsumexp;
using exprax::cummax;
using exprax::cummin;

// reduce_sum(x, axis<...>), reduce_prod, reduce_max, reduce_min, reduce_and, reduce_or, reduce_xor: the reductions of jax.lax. The axes go
// away, the dtype stays that of x. Axes that are repeated or out of range are refused.
inline constexpr struct reduce_sum_function {
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...>) const {
    return detail::apply<detail::lax_reduction_op<prim::reduce_sum, Axes...>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("lax::reduce_sum", "an axis is part of a type: write ex::lax::reduce_sum(x, ex::axis<0>)")
} reduce_sum{};
inline constexpr struct reduce_prod_function {
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...>) const {
    return detail::apply<detail::lax_reduction_op<prim::reduce_prod, Axes...>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("lax::reduce_prod", "an axis is part of a type: write ex::lax::reduce_prod(x, ex::axis<0>)")
} reduce_prod{};
inline constexpr struct reduce_max_function {
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...>) const {
    return detail::apply<detail::lax_reduction_op<prim::reduce_max, Axes...>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("lax::reduce_max", "an axis is part of a type: write ex::lax::reduce_max(x, ex::axis<0>)")
} reduce_max{};
inline constexpr struct reduce_min_function {
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...>) const {
    return detail::apply<detail::lax_reduction_op<prim::reduce_min, Axes...>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("lax::reduce_min", "an axis is part of a type: write ex::lax::reduce_min(x, ex::axis<0>)")
} reduce_min{};
inline constexpr struct reduce_and_function {
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...>) const {
    return detail::apply<detail::lax_reduction_op<prim::reduce_and, Axes...>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("lax::reduce_and", "an axis is part of a type: write ex::lax::reduce_and(x, ex::axis<0>)")
} reduce_and{};
inline constexpr struct reduce_or_function {
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...>) const {
    return detail::apply<detail::lax_reduction_op<prim::reduce_or, Axes...>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("lax::reduce_or", "an axis is part of a type: write ex::lax::reduce_or(x, ex::axis<0>)")
} reduce_or{};
inline constexpr struct reduce_xor_function {
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...>) const {
    return detail::apply<detail::lax_reduction_op<prim::reduce_xor, Axes...>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("lax::reduce_xor", "an axis is part of a type: write ex::lax::reduce_xor(x, ex::axis<0>)")
} reduce_xor{};
using exprax::reduce;
using exprax::reduce_window;
using exprax::sort_key_val;
using exprax::top_k;

}  // namespace lax

}  // namespace exprax
