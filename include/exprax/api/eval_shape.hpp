// SPDX-License-Identifier: BSL-1.0
// eval_shape(f, args...): dtypes and shapes of what f returns, as a tree of specs, without elements (jax.eval_shape).
#pragma once

#include <exprax/api/trace.hpp>

namespace exprax {

namespace detail {

template <class Leaf>
struct to_spec;
template <class T, int... D>
struct to_spec<expr<T, D...>> {
  using type = spec_t<strong_t<T>, D...>;
};

}  // namespace detail

template <class F, class... Args>
constexpr auto eval_shape(F, Args const&...) {
  if constexpr (detail::can_trace<F, Args...>())
    return detail::map_t<typename detail::trace_of<F, detail::to_expr_t<Args>...>::result, detail::to_spec>{};
}

}  // namespace exprax
