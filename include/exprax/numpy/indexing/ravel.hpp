// SPDX-License-Identifier: BSL-1.0
// Indices of several axes (jax.numpy): unravel_index and ravel_multi_index, from flat indices and to them; ix_, which makes open grids.
#pragma once

#include <exprax/numpy/indexing/take.hpp>

namespace exprax {

namespace detail {

// divmod by each size from the last one on; what lies before the array has the place 0, what lies behind it the last one.
template <int... Dims>
struct unravel_index_op {
  template <operand I>
  constexpr auto operator()(I const& indices) const {
    auto const i = as_traced(indices);
    return each(i, std::make_integer_sequence<int, static_cast<int>(sizeof...(Dims))>{});
  }

 private:
  static constexpr int size(int axis) {
    int const dims[] = {Dims...};
    return dims[axis];
  }
  template <int K, class I>
  static constexpr auto above(I const& i) {  // what is left behind the axes from K on
    if constexpr (K == static_cast<int>(sizeof...(Dims))) return i;
    else return floor_divide(above<K + 1>(i), size(K));
  }
  template <class I, int... K>
  static constexpr auto each(I const& i, std::integer_sequence<int, K...>) {
    auto const rest = above<0>(i);
    auto const behind = greater(rest, 0);
    auto const before = less(rest, -1);
    return std::tuple(where(behind, size(K) - 1, where(before, 0, remainder(above<K + 1>(i), size(K))))...);
  }
};
template <mode_word Mode, int... Dims>
struct ravel_multi_index_op {
  template <operand... I>
  constexpr auto operator()(I const&... index) const {
    using type = promote_t<default_int, type_in<I>...>;
    int weight = (1 * ... * Dims), axis = 0;
    int const dims[] = {Dims...};
    auto const term = [&](auto const& i) {
      int const n = dims[axis++];
      weight = n > 0 ? weight / n : 0;
      return multiply(as_expr<type>(inside(as_traced(i), n)), weight);
    };
    std::tuple const terms{term(index)...};  // braces: from the first to the last
    return std::apply([](auto const& first, auto const&... rest) { return sum_of(first, rest...); }, terms);
  }

 private:
  template <class I>
  static constexpr auto inside(I const& i, int n) {
    if constexpr (Mode == mode_word::wrap) return remainder(i, n);
    else if constexpr (Mode == mode_word::clip) return clip(i, 0, n - 1);
    else return i;
  }
  template <class A>
  static constexpr auto sum_of(A const& a) {
    return a;
  }
  template <class A, class B, class... Rest>
  static constexpr auto sum_of(A const& a, B const& b, Rest const&... rest) {
    return sum_of(add(a, b), rest...);
  }
};

template <int K, int N>
struct ix_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return [&]<int... A>(std::integer_sequence<int, A...>) {
      return reshaped<(A == K ? static_cast<int>(aval_in<X>.size()) : 1)...>(as_traced(x));
    }(std::make_integer_sequence<int, N>{});
  }
};

}  // namespace detail

// Open grids from vectors: vector number k of n gets the shape [1, ..., size, ..., 1] of n axes, so that x(i, j) with ix_(i, j) is the
// block of these rows and columns. A tuple; dtypes stay. Refused: arguments that are not vectors (jax.numpy.ix_).
inline constexpr struct ix__function {
  template <array_like... X>
  constexpr auto operator()(X const&... x) const {
    static_assert(((detail::rank_in<X> == 1) && ...), "exprax: ix_: the arguments must be vectors");
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      return std::tuple(detail::apply<detail::ix_op<K, static_cast<int>(sizeof...(X))>>(x)...);
    }(std::make_integer_sequence<int, static_cast<int>(sizeof...(X))>{});
  }
} ix_{};

// Flat indices as indices of an array of shape Dims, in row-major order: a tuple of arrays of the indices' shape, one for each axis.
// Indices out of range are clamped. Refused: indices that are not integers, no sizes, sizes below 1 (jax.numpy.unravel_index).
template <int... Dims, array_like I>
constexpr auto unravel_index(I const& indices) {
  static_assert(detail::are_of_integers<I>, "exprax: unravel_index: the indices must be integers");
  static_assert(sizeof...(Dims) > 0 && ((Dims > 0) && ...),
                "exprax: unravel_index: give the shape, of positive sizes: ex::unravel_index<2, 3>(i)");
  return detail::apply<detail::unravel_index_op<Dims...>>(indices);
}
template <int... Dims, array_like I>
constexpr auto unravel_index(I const& indices, shape_t<Dims...>) {
  return unravel_index<Dims...>(indices);
}
// The inverse of unravel_index: ravel_multi_index<2, 3>(std::tuple(i, j), mode_clip). Shapes broadcast; dtypes are promoted with
// default_int. Out of range: mode_clip or mode_wrap, else nothing is checked. Refused: indices that are not one array of integers for each
// axis (jax.numpy.ravel_multi_index).
template <int... Dims, array_like... I, detail::mode_word Mode = detail::mode_word::automatic>
constexpr auto ravel_multi_index(std::tuple<I...> const& indices, detail::mode_word_t<Mode> = {}) {
  static_assert(sizeof...(I) == sizeof...(Dims) && sizeof...(I) > 0, "exprax: ravel_multi_index: give an array of indices for each axis");
  static_assert(detail::are_of_integers<I...>, "exprax: ravel_multi_index: the indices must be integers");
  return std::apply([](auto const&... i) { return detail::apply<detail::ravel_multi_index_op<Mode, Dims...>>(i...); }, indices);
}
template <int... Dims, array_like... I, detail::mode_word Mode = detail::mode_word::automatic>
constexpr auto ravel_multi_index(std::tuple<I...> const& indices, shape_t<Dims...>, detail::mode_word_t<Mode> mode = {}) {
  return ravel_multi_index<Dims...>(indices, mode);
}

}  // namespace exprax
