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
  if constexpr (stored<X>) return lift(x);
  else return (x);
}
template <class E, std::size_t N>
constexpr auto stacked_nest(std::array<E, N> const& x) {
  return std::apply([](auto const&... part) { return stack_op<0>{}(stacked_nest(part)...); }, x);
}
template <class... X>
constexpr auto stacked_nest(std::tuple<X...> const& x) {
  return std::apply([](auto const&... part) { return stack_op<0>{}(stacked_nest(part)...); }, x);
}
template <class T>
inline constexpr auto nest_as_array = [](auto const& nest) { return apply<asarray_op<canonical_t<T>>>(stacked_nest(nest)); };
// Of arrays outside of a trace: computed at once.
template <class T, class Nest>
constexpr auto array_of_nest(Nest const& nest) {
  if constexpr (in_a_trace<Nest> || is_free<Nest>) return created(nest_as_array<T>, nest);
  else return exprax::jit(nest_as_array<T>)(nest);
}
// An array of numbers in braces: C arrays, nested.
template <class T, class E>
constexpr void put_elements(T*& to, E const& element) {
  *to++ = convert_number<T>(element);
}
template <class T, class E, std::size_t N>
constexpr void put_elements(T*& to, E const (&list)[N]) {
  for (E const& x : list) put_elements(to, x);
}
template <class T, class E, int... Dims, class Braces>
constexpr auto array_of(Braces const& braces) {
  using type = std::conditional_t<std::is_void_v<T>, strong_t<type_in<E>>, canonical_t<T>>;
  array<type, Dims...> a(uninitialized);
  type* to = a.data();
  put_elements(to, braces);
  return a;
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
template <int... Dims, class T = float>
constexpr auto empty(shape_t<Dims...> sizes, dtype_t<T> type = {}) {
  return zeros(sizes, type);
}
inline constexpr struct empty_like_function {
  template <array_like X, class T = void>
  constexpr auto operator()(X const& x, dtype_t<T> type = {}) const {
    return zeros_like(x, type);
  }
} empty_like{};
// asarray(x), asarray(x, float32): the value itself, with that dtype if one is given (jax.numpy.asarray, jax.numpy.array). A tuple or
// std::array of arrays, traced values and numbers, nested as deep as the array has axes, becomes one array of the promoted dtype; so do
// numbers in braces, asarray({{1, 2}, {3, 4}}), up to three axes: an array of int32, of float32 for C++ doubles (x64: int64 and float64).
inline constexpr struct asarray_function {
  template <array_like X, class T = void>
  constexpr auto operator()(X const& x, dtype_t<T> = {}) const {
    return detail::apply<detail::asarray_op<canonical_t<T>>>(x);
  }
  template <class... X, class T = void>
  constexpr auto operator()(std::tuple<X...> const& nest, dtype_t<T> = {}) const {
    return detail::array_of_nest<T>(nest);
  }
  template <class E, std::size_t N, class T = void>
  constexpr auto operator()(std::array<E, N> const& nest, dtype_t<T> = {}) const {
    return detail::array_of_nest<T>(nest);
  }
  template <class R, class T = void>
    requires(!array_like<R> && requires(R const& range) { range.data(), range.size(); })
  constexpr auto operator()(R const& range, dtype_t<T> = {}) const {
    static_assert(detail::is_array<R>,
                  "exprax: asarray: the size of a std::vector is known at run time: write ex::array<float, 3>(vector), or "
                  "ex::view<float, 3>(vector), which copies nothing");
    return *range.data();
  }
  template <scalar E, std::size_t N, class T = void>
  constexpr auto operator()(E const (&row)[N], dtype_t<T> = {}) const {
    return detail::array_of<T, E, int(N)>(row);
  }
  template <scalar E, std::size_t N, std::size_t M, class T = void>
  constexpr auto operator()(E const (&rows)[N][M], dtype_t<T> = {}) const {
    return detail::array_of<T, E, int(N), int(M)>(rows);
  }
  template <scalar E, std::size_t N, std::size_t M, std::size_t L, class T = void>
  constexpr auto operator()(E const (&blocks)[N][M][L], dtype_t<T> = {}) const {
    return detail::array_of<T, E, int(N), int(M), int(L)>(blocks);
  }
} asarray{};

template <class T>
template <class X>
constexpr auto dtype_t<T>::operator()(X const& x) const {
  return asarray(x, *this);
}

}  // namespace exprax
