// SPDX-License-Identifier: BSL-1.0
// static_<5>: an argument that is a constant while tracing (jax.jit's static_argnums). The function takes it by value and reads it as a
// constant: size(). Constants of Boost.Hana and std::integral_constant work as well.
#pragma once

#include <type_traits>

namespace exprax {

template <auto V>
struct static_t {
  using value_type = std::remove_cv_t<decltype(V)>;
  static constexpr value_type value = V;
  constexpr value_type operator()() const { return V; }
  constexpr operator value_type() const { return V; }
};
template <auto V>
inline constexpr static_t<V> static_{};

namespace detail {

template <class T>
concept static_constant = std::is_empty_v<T> && std::is_scalar_v<std::remove_cvref_t<decltype(T::value)>> &&
                          requires { typename std::integral_constant<decltype(T::value), T::value>; } &&
                          std::is_convertible_v<T, std::remove_cvref_t<decltype(T::value)>>;

}  // namespace detail

}  // namespace exprax
