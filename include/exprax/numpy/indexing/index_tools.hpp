// SPDX-License-Identifier: BSL-1.0
// Makers of indices and what goes with them (jax.numpy): diag_indices, tril_indices, triu_indices, ix_, unravel_index,
// ravel_multi_index, fill_diagonal, choose, compress, extract, put, place.
#pragma once

#include <exprax/numpy/indexing/nonzero.hpp>
#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/shape/repeat.hpp>

namespace exprax {

namespace detail {

// The places in an N x M matrix on and below (Lower) or above the diagonal K, row by row.
template <int N, int K, int M, bool Lower>
constexpr bool in_triangle(int i, int j) {
  return Lower ? j - i <= K : j - i >= K;
}
template <int N, int K, int M, bool Lower>
inline constexpr int triangle_size = [] {
  int n = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) n += in_triangle<N, K, M, Lower>(i, j);
  return n;
}();
template <int N, int K, int M, bool Lower>
constexpr auto triangle_indices() {
  std::tuple<array<default_int, triangle_size<N, K, M, Lower>>, array<default_int, triangle_size<N, K, M, Lower>>> r;
  int at = 0;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < M; ++j) {
      if (!in_triangle<N, K, M, Lower>(i, j)) continue;
      std::get<0>(r).data()[at] = i;
      std::get<1>(r).data()[at++] = j;
    }
  }
  return r;
}
template <int N>
constexpr array<default_int, N> first_indices() {
  array<default_int, N> r;
  for (int i = 0; i < N; ++i) r.data()[i] = i;
  return r;
}

// The first N elements of v, again and again.
template <int N, tracer V>
constexpr auto tiled_to(V const& v) {
  constexpr int have = static_cast<int>(V::size());
  auto const flat = reshaped<-1>(v);
  if constexpr (have == N) {
    return flat;
  } else {
    array<std::int32_t, N> at;
    for (int i = 0; i < N; ++i) at.data()[i] = i % have;
    return index_read(flat, at);
  }
}

struct fill_diagonal_op {
  template <operand X, operand V>
  constexpr auto operator()(X const& x, V const& value) const {
    constexpr int n = [] {
      int least = aval_in<X>.dims[0];
      for (int i = 1; i < rank_in<X>; ++i) least = aval_in<X>.dims[i] < least ? aval_in<X>.dims[i] : least;
      return least;
    }();
    auto const target = as_traced(x);
    auto const at = lift(first_indices<n>());
    if constexpr (rank_in<V> == 0 || aval_in<V>.size() == 0 || n == 0) return set_at(target, at, value, std::make_integer_sequence<int, rank_in<X>>{});
    else return set_at(target, at, tiled_to<n>(as_traced(value)), std::make_integer_sequence<int, rank_in<X>>{});
  }

 private:
  template <int, class I>
  static constexpr I const& same(I const& i) {
    return i;
  }
  template <class X, class I, class V, int... K>
  static constexpr auto set_at(X const& x, I const& at, V const& value, std::integer_sequence<int, K...>) {
    auto const place = make_at(x, same<K>(at)...);
    return place.set(value);
  }
};

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

template <mode_word Mode>
struct choose_op {
  template <operand I, operand... X>
  constexpr auto operator()(I const& which, X const&... choices) const {
    using type = promote_t<type_in<X>...>;
    using shape = common_as<type, I, X...>;
    constexpr int n = static_cast<int>(sizeof...(X));
    auto const inside = [&] {
      auto const i = as_traced(which);
      if constexpr (Mode == mode_word::wrap) return remainder(i, n);
      else return clip(i, 0, n - 1);
    }();
    auto const at = broadcast_shape<shape>(convert_to<std::int32_t>(inside));
    return bind<expr_from<shape>>(prim::select_n, {}, at, expr_from<shape>(broadcast_shape<shape>(as_expr<type>(choices)))...);
  }
};

// The elements of x along an axis where the condition holds; the fill value, or 0, behind them.
template <int Size, class Options>
struct compress_op {
  template <operand C, operand X, operand... Fill>
  constexpr auto operator()(C const& condition, X const& x, Fill const&... fill) const {
    auto const array = as_traced(x);
    if constexpr (Options::has_axis) return along<normal_axis(Options::axis, rank_in<X>)>(condition, array, fill...);
    else return along<0>(condition, reshaped<-1>(array), fill...);
  }

 private:
  template <int Axis, class C, class X, class... Fill>
  static constexpr auto along(C const& condition, X const& x, Fill const&... fill) {
    constexpr int n = X::type.dims[Axis];
    auto const flat = reshaped<-1>(as_traced(condition));
    auto const which = [&] {
      if constexpr (flat.size() > n) return index_read(flat, slice<0, n>);
      else return flat;
    }();
    auto const at = std::get<0>(nonzero_op<Size>{}(which, n));
    using options = index_options<axis_t<Axis>, mode_word_t<mode_word::fill>, wrap_negative_indices_t<false>>;
    if constexpr (sizeof...(Fill) == 0) return take_op<options>{}(x, at, 0);
    else return take_op<options>{}(x, at, fill...);
  }
};

template <mode_word Mode>
struct put_op {
  template <operand X, operand I, operand V>
  constexpr auto operator()(X const& x, I const& indices, V const& values) const {
    auto const target = as_traced(x);
    using type = std::remove_const_t<decltype(target)>;
    if constexpr (type::size() == 0 || aval_in<I>.size() == 0 || aval_in<V>.size() == 0) {
      return target;
    } else {
      constexpr int n = static_cast<int>(aval_in<I>.size());
      auto const at = reshaped<-1>(as_traced(indices));
      auto const v = tiled_to<n>(as_traced(values));
      auto const flat = reshaped<-1>(target);
      auto const done = [&] {
        if constexpr (Mode == mode_word::wrap) return flat.at(at).set(v, mode_wrap);
        else if constexpr (Mode == mode_word::clip) return flat.at(clip(at, 0, static_cast<int>(type::size()) - 1)).set(v);
        else return flat.at(at).set(v);
      }();
      return expr_access::make<type>(untyped::reshape(expr_access::get(done), {type::type.dims, type::rank}));
    }
  }
};
struct place_op {
  template <operand X, operand M, operand V>
  constexpr auto operator()(X const& x, M const& mask, V const& values) const {
    auto const target = as_traced(x);
    using type = std::remove_const_t<decltype(target)>;
    constexpr int n = static_cast<int>(type::size());
    if constexpr (n == 0) {
      return target;
    } else {
      auto const at = std::get<0>(nonzero_op<n>{}(reshaped<-1>(as_traced(mask)), n));
      auto const done = reshaped<-1>(target).at(at).set(tiled_to<n>(as_traced(values)), mode_drop);
      return expr_access::make<type>(untyped::reshape(expr_access::get(done), {type::type.dims, type::rank}));
    }
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X>
inline constexpr bool is_a_cube = [] {
  for (int i = 1; i < rank_in<X>; ++i)
    if (aval_in<X>.dims[i] != aval_in<X>.dims[0]) return false;
  return rank_in<X> >= 2;
}();
template <class X>
inline constexpr bool has_a_diagonal = rank_in<X> == 2 || is_a_cube<X>;
template <class A, class B>
inline constexpr bool have_equal_sizes = aval_in<A>.size() == aval_in<B>.size();
template <class X>
inline constexpr bool has_values_to_place = aval_in<X>.size() > 0;
template <int Size, class X, class Options>
inline constexpr bool is_a_size_of = [] {
  if constexpr (Size < 0 || !has_taken_axis<X, Options>) return false;
  else return Size <= (Options::has_axis ? aval_in<X>.dims[normal_axis(Options::axis, rank_in<X>)] : aval_in<X>.size());
}();

}  // namespace detail

// The indices of the diagonal of an array with Rank axes of size N, and of that of x: a tuple of one array 0, ..., N - 1 of dtype
// default_int for each axis. diag_indices_from refuses arrays with fewer than two axes, and with axes of different sizes if there are more
// than two (jax.numpy.diag_indices, diag_indices_from).
template <int N, int Rank = 2>
constexpr auto diag_indices() {
  return []<int... K>(std::integer_sequence<int, K...>) {
    return std::tuple((static_cast<void>(K), detail::first_indices<N>())...);
  }(std::make_integer_sequence<int, Rank>{});
}
template <array_like X>
constexpr auto diag_indices_from(X const&) {
  static_assert(detail::is_a_cube<X>, "exprax: diag_indices_from: the array must have at least two axes, all of one size");
  return diag_indices<detail::aval_in<X>.dims[0], detail::rank_in<X>>();
}
// The rows and columns of the elements of an [N, M] matrix on and below (tril_indices) or on and above (triu_indices) the diagonal K: a
// tuple of two arrays of dtype default_int, row by row. tril_indices_from and triu_indices_from take the sizes from a matrix; other ranks
// than 2 are refused (jax.numpy.tril_indices, triu_indices, tril_indices_from, triu_indices_from).
template <int N, int K = 0, int M = N>
constexpr auto tril_indices() {
  return detail::triangle_indices<N, K, M, true>();
}
template <int N, int K = 0, int M = N>
constexpr auto triu_indices() {
  return detail::triangle_indices<N, K, M, false>();
}
template <int K = 0, array_like X>
constexpr auto tril_indices_from(X const&) {
  static_assert(detail::rank_in<X> == 2, "exprax: tril_indices_from: the array must have two axes");
  return tril_indices<detail::aval_in<X>.dims[0], K, detail::aval_in<X>.dims[1]>();
}
template <int K = 0, array_like X>
constexpr auto triu_indices_from(X const&) {
  static_assert(detail::rank_in<X> == 2, "exprax: triu_indices_from: the array must have two axes");
  return triu_indices<detail::aval_in<X>.dims[0], K, detail::aval_in<X>.dims[1]>();
}
// Open grids from vectors: vector number k of n gets the shape [1, ..., size, ..., 1] of n axes, so that x(i, j) with ix_(i, j) is the
// block of these rows and columns. A tuple; dtypes stay. Refused: arguments that are not vectors (jax.numpy.ix_).
template <array_like... X>
constexpr auto ix_(X const&... x) {
  static_assert(((detail::rank_in<X> == 1) && ...), "exprax: ix_: the arguments must be vectors");
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    return std::tuple(detail::apply<detail::ix_op<K, static_cast<int>(sizeof...(X))>>(x)...);
  }(std::make_integer_sequence<int, static_cast<int>(sizeof...(X))>{});
}

// Flat indices as indices of an array of shape Dims, in row-major order: a tuple of arrays of the indices' shape, one for each axis.
// Indices out of range are clamped. Refused: indices that are not integers, no sizes, sizes below 1 (jax.numpy.unravel_index).
template <int... Dims, array_like I>
constexpr auto unravel_index(I const& indices) {
  static_assert(detail::are_of_integers<I>, "exprax: unravel_index: the indices must be integers");
  static_assert(sizeof...(Dims) > 0 && ((Dims > 0) && ...), "exprax: unravel_index: give the shape, of positive sizes: ex::unravel_index<2, 3>(i)");
  return detail::apply<detail::unravel_index_op<Dims...>>(indices);
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

// x with a value, or the elements of an array in turn, on its main diagonal. Shape and dtype are those of x. Refused: fewer than two axes,
// or more than two that differ in size (jax.numpy.fill_diagonal with inplace=False).
template <array_like X, array_like V>
constexpr auto fill_diagonal(X const& x, V const& value) {
  static_assert(detail::has_a_diagonal<X>, "exprax: fill_diagonal: the array must have two axes, or more of one size");
  if constexpr (detail::has_a_diagonal<X>) return detail::apply<detail::fill_diagonal_op>(x, value);
  else return x;  // after the error: nothing that leads to others
}
// At each place the element of choice number `which`. Shapes broadcast; the dtype is the one that the choices promote to. Numbers out of
// range are clamped (mode_clip, the default), or taken modulo (mode_wrap). Refused: numbers that are not integers, no choices, shapes that
// do not broadcast (jax.numpy.choose).
template <array_like I, array_like... X, detail::mode_word Mode = detail::mode_word::clip>
constexpr auto choose(I const& which, std::tuple<X...> const& choices, detail::mode_word_t<Mode> = {}) {
  static_assert(detail::are_of_integers<I>, "exprax: choose: the numbers of choices must be integers");
  static_assert(sizeof...(X) > 0 && detail::broadcasts<I, X...>, "exprax: choose: there must be choices, and all must broadcast together");
  return std::apply([&](auto const&... x) { return detail::apply<detail::choose_op<Mode>>(which, x...); }, choices);
}
// The elements of x along axis<k>, or of the flattened x, where the condition holds: the first Size of them, then the fill value, or 0.
// [..., n, ...] -> [..., Size, ...] or [Size], dtype of x. Refused: no size, one larger than the axis, a condition that is not a vector
// (jax.numpy.compress).
template <int Size = -1, array_like C, array_like X, class... Options>
constexpr auto compress(C const& condition, X const& x, Options const&... options) {
  EXPRAX_TAKES("compress", "size<n>, axis<k>, fill_value(v)", Options...) {
    using o = detail::index_options<Options...>;
    constexpr int size = detail::result_size<Size, Options...>;
    static_assert(detail::is_static_size<size>,
                  "exprax: compress: The size argument of jnp.compress must be specified in order to use jnp.compress within JAX transformations: "
                  "ex::compress<size>(condition, x, ex::fill_value(v))");
    static_assert(size < 0 || detail::is_a_size_of<size, X, o>, "exprax: compress: size must be positive and not greater than the size of the array axis");
    static_assert(detail::rank_in<C> == 1, "exprax: compress: condition must be a 1D array");
    if constexpr (size >= 0 && detail::is_a_size_of<size, X, o> && detail::rank_in<C> == 1)
      return std::apply([&](auto const&... fill) { return detail::apply<detail::compress_op<size, o>>(condition, x, fill...); }, detail::fill_values(options...));
    else return x;  // after the error: nothing that leads to others
  } else {
    return x;
  }
}
// compress of condition and x, both flattened: [Size], dtype of x (jax.numpy.extract).
template <int Size = -1, array_like C, array_like X, class... Options>
constexpr auto extract(C const& condition, X const& x, Options const&... options) {
  EXPRAX_TAKES("extract", "size<n>, fill_value(v)", Options...) return compress<Size>(ravel(condition), ravel(x), options...);
  else return x;
}
// x with values, repeated as needed, at indices of the flattened x. Shape and dtype are those of x. Indices out of range are dropped, or
// clamped with mode_clip, or taken modulo with mode_wrap. Refused: indices that are not integers (jax.numpy.put with inplace=False).
template <array_like X, array_like I, array_like V, detail::mode_word Mode = detail::mode_word::automatic>
constexpr auto put(X const& x, I const& indices, V const& values, detail::mode_word_t<Mode> = {}) {
  static_assert(detail::are_of_integers<I>, "exprax: put: the indices must be integers");
  if constexpr (detail::are_of_integers<I>) return detail::apply<detail::put_op<Mode>>(x, indices, values);
  else return x;  // after the error: nothing that leads to others
}
// x with value number k, repeated as needed, where the mask is true for the k-th time. Shape and dtype are those of x. Refused: a mask of
// another number of elements, no values (jax.numpy.place with inplace=False).
template <array_like X, array_like M, array_like V>
constexpr auto place(X const& x, M const& mask, V const& values) {
  static_assert(detail::have_equal_sizes<X, M>, "exprax: place: arr and mask must be the same size");
  static_assert(detail::has_values_to_place<V>, "exprax: place: Cannot place values from an empty array");
  if constexpr (detail::have_equal_sizes<X, M> && detail::has_values_to_place<V>) return detail::apply<detail::place_op>(x, mask, values);
  else return x;  // after the error: nothing that leads to others
}

}  // namespace exprax
