// SPDX-License-Identifier: BSL-1.0
// lift: a value used in a traced function, as an expr. A C++ number becomes a weak literal, an array that the function closes over a
// constant.
#pragma once

#include <exprax/program/expr.hpp>
#include <exprax/types/array.hpp>
#include <exprax/types/view.hpp>

namespace exprax::detail {

template <class Out, class T>
constexpr Out constant_as(T const* elements) {
  arena<std::uint64_t> bits;
  for (std::ptrdiff_t i = 0; i < Out::size(); ++i)
    for (std::uint64_t b : element_patterns<T>(elements[i]).of) bits.push(b);
  return constant<Out>(new_tape(), bits);
}
template <class T, int... D>
constexpr expr<canonical_t<T>, D...> constant_of(T const* elements) {
  return constant_as<expr<canonical_t<T>, D...>>(elements);
}

template <class T, int... D>
constexpr expr<T, D...> const& lift(expr<T, D...> const& x) {
  return x;
}
template <scalar S>
constexpr expr<literal_t<S>> lift(S x) {
  return literal<literal_t<S>>(convert_number<strong_t<literal_t<S>>>(x));
}
template <class T, int... D>
constexpr expr<canonical_t<T>, D...> lift(array<T, D...> const& x) {
  if constexpr (!std::is_trivially_copyable_v<array<T, D...>>)
    if (auto* const call = array_access::pending(x)) return expr_access::make<expr<canonical_t<T>, D...>>(call->record());
  return constant_of<T, D...>(x.data());
}
template <class T, int... D>
constexpr expr<canonical_t<std::remove_const_t<T>>, D...> lift(view<T, D...> const& x) {
  return constant_of<std::remove_const_t<T>, D...>(x.data());
}

constexpr expr<prng_key> lift(prng_key x) { return constant_of<prng_key>(&x); }

// The value arguments of traced functions: expr, C++ number, array, view.
template <class X>
concept liftable = requires(X const& x) { detail::lift(x); };
template <class X>
using lifted_t = std::remove_cvref_t<decltype(detail::lift(std::declval<X const&>()))>;

}  // namespace exprax::detail
