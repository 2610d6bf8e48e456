// SPDX-License-Identifier: BSL-1.0
// Running reductions: cumsum and cumprod (jax.numpy), cummax, cummin and cumlogsumexp (jax.lax). Element i is the sum, product,
// ... of the elements 0 to i along axis<k>; with ex::reverse, of the elements i to the last one. Without an axis the sums and
// products are those of the flattened array, as NumPy's; the others go along axis 0, as lax's. bool is added as int32.
#pragma once

#include <exprax/numpy/named_call.hpp>
#include <exprax/numpy/shaping.hpp>

namespace exprax {

namespace detail {

template <prim P, class Tags, tracer X>
constexpr X running(X const& x) {
  int const params[] = {normal_axis(Tags::axis, X::rank), Tags::reverse};
  return bind<X>(P, params, x);
}

template <class T>
using summand_t = std::conditional_t<is_bool(dtype_of<T>), default_int, strong_t<T>>;

template <prim P, class Tags>
struct cumulative_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Tags::has_axis) return running<P, Tags>(as_expr<summand_t<type_in<X>>>(x));
    else return running<P, Tags>(as_expr<summand_t<type_in<X>>>(reshaped<-1>(x)));
  }
};
// jax.numpy's functions are jit equations; only lax's have `reverse`.
template <prim P, class Tags>
struct named_cumulative_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Tags::reverse) return cumulative_body<P, Tags>{}(as_traced(x));
    else return named_call<cumulative_body<P, Tags>>(P == prim::cumsum ? "cumsum" : "cumprod", x);
  }
};
template <prim P, class Tags>
struct cumulative_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return running<P, Tags>(as_traced(x));
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, class... Tags>
inline constexpr bool goes_along_an_axis = normal_axes<running_tags<Tags...>::axis>(rank_in<X>).valid;
template <class X, class... Tags>
inline constexpr bool has_that_axis = !running_tags<Tags...>::has_axis || goes_along_an_axis<X, Tags...>;
template <class X>
inline constexpr bool is_of_floats = is_floating(aval_in<X>.type);

}  // namespace detail

template <array_like X, detail::running_tag... Tags>
constexpr auto cumsum(X const& x, Tags...) {
  static_assert(detail::has_that_axis<X, Tags...>, "exprax: cumsum: the axis is out of range for the array");
  if constexpr (detail::has_that_axis<X, Tags...>) return detail::apply<detail::named_cumulative_op<prim::cumsum, detail::running_tags<Tags...>>>(x);
  else return x;  // after the error: nothing that leads to others
}
template <array_like X, detail::running_tag... Tags>
constexpr auto cumprod(X const& x, Tags...) {
  static_assert(detail::has_that_axis<X, Tags...>, "exprax: cumprod: the axis is out of range for the array");
  if constexpr (detail::has_that_axis<X, Tags...>) return detail::apply<detail::named_cumulative_op<prim::cumprod, detail::running_tags<Tags...>>>(x);
  else return x;  // after the error: nothing that leads to others
}
// NaN from the first NaN on.
template <array_like X, detail::running_tag... Tags>
constexpr auto cummax(X const& x, Tags...) {
  static_assert(detail::goes_along_an_axis<X, Tags...>, "exprax: cummax: the axis is out of range for the array");
  if constexpr (detail::goes_along_an_axis<X, Tags...>) return detail::apply<detail::cumulative_op<prim::cummax, detail::running_tags<Tags...>>>(x);
  else return x;
}
template <array_like X, detail::running_tag... Tags>
constexpr auto cummin(X const& x, Tags...) {
  static_assert(detail::goes_along_an_axis<X, Tags...>, "exprax: cummin: the axis is out of range for the array");
  if constexpr (detail::goes_along_an_axis<X, Tags...>) return detail::apply<detail::cumulative_op<prim::cummin, detail::running_tags<Tags...>>>(x);
  else return x;
}
// log(cumsum(exp(x))), without overflow.
template <array_like X, detail::running_tag... Tags>
constexpr auto cumlogsumexp(X const& x, Tags...) {
  static_assert(detail::goes_along_an_axis<X, Tags...>, "exprax: cumlogsumexp: the axis is out of range for the array");
  static_assert(detail::is_of_floats<X>, "exprax: cumlogsumexp: the elements must be floats: convert them with ex::astype<float>(x)");
  if constexpr (detail::is_of_floats<X> && detail::goes_along_an_axis<X, Tags...>)
    return detail::apply<detail::cumulative_op<prim::cumlogsumexp, detail::running_tags<Tags...>>>(x);
  else return x;
}

}  // namespace exprax
