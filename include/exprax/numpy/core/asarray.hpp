// SPDX-License-Identifier: BSL-1.0
// Values, and nests of them, as one array (jax.numpy): asarray; and empty, empty_like.
#pragma once

#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/shape/joining.hpp>

namespace exprax {

namespace detail {

template <class T>
struct asarray_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (std::is_void_v<T>) return expr_type<X>(as_traced(x));
    else return expr_like<X, T>(as_expr<T>(x));
  }
};
// A nest of tuples, arrays and values as one array.
template <class X>
constexpr decltype(auto) stacked_nest(X const& x) {
  return (x);
}
template <class E, std::size_t N>
constexpr auto stacked_nest(std::array<E, N> const& x) {
  return std::apply([](auto const&... part) { return stack_op<0>{}(stacked_nest(part)...); }, x);
}
template <class... X>
constexpr auto stacked_nest(std::tuple<X...> const& x) {
  return std::apply([](auto const&... part) { return stack_op<0>{}(stacked_nest(part)...); }, x);
}

}  // namespace detail

// empty<T, 2, 3>(), empty<2, 3>(), empty_like(x): zeros, since constant evaluation leaves nothing open (jax.numpy.empty,
// jax.numpy.empty_like). Shapes and dtypes as those of zeros and zeros_like.
template <class T, int... Dims>
constexpr auto empty() {
  return zeros<T, Dims...>();
}
template <int... Dims>
constexpr auto empty() {
  return zeros<float, Dims...>();
}
template <class T = void, array_like X>
constexpr auto empty_like(X const& x) {
  return zeros_like<T>(x);
}
// asarray(x), asarray<T>(x): the value itself, with dtype T if one is given (jax.numpy.asarray, jax.numpy.array). A tuple or std::array of
// traced values and numbers, nested as deep as the array has axes, becomes one array of the promoted dtype.
template <class T = void, array_like X>
constexpr auto asarray(X const& x) {
  using type = canonical_t<T>;
  return detail::apply<detail::asarray_op<type>>(x);
}
template <class T = void, class... X>
constexpr auto asarray(std::tuple<X...> const& nest) {
  return asarray<T>(detail::stacked_nest(nest));
}
template <class T = void, class E, std::size_t N>
constexpr auto asarray(std::array<E, N> const& nest) {
  return asarray<T>(detail::stacked_nest(nest));
}

}  // namespace exprax
