// SPDX-License-Identifier: BSL-1.0
// bincount<length>(x) and bincount<length>(x, weights) (jax.numpy.bincount): how often each of 0 ... length - 1 stands in x, or the sum
// of the weights there. Negative numbers count as 0, those from length on not at all.
#pragma once

#include <exprax/numpy/indexing/at.hpp>

namespace exprax {

namespace detail {

// Inside of jit[name=clip] with a lower bound only.
struct at_least_body {
  template <tracer X, tracer Low>
  constexpr auto operator()(X const& x, Low const& low) const {
    return maximum(low, x);
  }
};

template <int Length, tracer X, class W>
constexpr auto binned(X const& x, W const& weights) {
  using type = std::conditional_t<number<W>, default_int, strong_t<type_in<W>>>;
  auto const none = constant_like<expr<type, Length>>(x, type{});
  auto const bins = named_call<at_least_body>("clip", x, 0);
  return update_gathered<prim::scatter_add, index_options<>>(none, weights, bins);
}
template <int Length>
struct bincount_op {
  template <operand X, operand... W>
  constexpr auto operator()(X const& x, W const&... weights) const {
    using type = std::conditional_t<is_bool(aval_in<X>.type), std::int32_t, type_in<X>>;
    auto const bins = as_expr<type>(x);
    if constexpr (sizeof...(W) == 0) return binned<Length>(bins, 1);
    else return binned<Length>(bins, as_traced(weights)...);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X>
inline constexpr bool is_a_vector_of_integers = rank_in<X> == 1 && (is_integer(aval_in<X>.type) || is_bool(aval_in<X>.type));
template <class X, class... W>
inline constexpr bool weighs_each = (aval_in<W>.same_shape(aval_in<X>) && ...);
template <int Size>
inline constexpr bool is_static_size = Size >= 0;

}  // namespace detail

// How often each of 0, ..., Length - 1 stands in the vector x, or the sum of the weights there: [n] -> [Length], default_int, or the dtype
// of the weights. Negative numbers count as 0, those from Length on not at all. Refused: no length, an x that is not a vector of integers,
// weights of another shape (jax.numpy.bincount).
template <int Length = -1, array_like X, array_like... W>
constexpr auto bincount(X const& x, W const&... weights) {
  static_assert(
      detail::is_static_size<Length>,
      "exprax: bincount: the error occurred because of argument 'x' of jnp.bincount: its largest element is not known while compiling. "
      "Pass a static length: ex::bincount<length>(x)");
  static_assert(detail::is_a_vector_of_integers<X>, "exprax: bincount: the argument must be a vector of integers");
  static_assert(sizeof...(W) <= 1 && detail::weighs_each<X, W...>, "exprax: bincount: the weights must have the shape of the argument");
  if constexpr (Length >= 0 && detail::is_a_vector_of_integers<X> && detail::weighs_each<X, W...>)
    return detail::apply<detail::bincount_op<Length>>(x, weights...);
  else return x;  // after the error: nothing that leads to others
}

}  // namespace exprax
