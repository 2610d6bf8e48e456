// SPDX-License-Identifier: BSL-1.0
// More arrays from nothing or from few numbers (jax.numpy): empty, asarray, meshgrid, indices, fromfunction, logspace,
// geomspace, vander.
#pragma once

#include <exprax/api/vmap/vmap.hpp>
#include <exprax/base/options.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/elementwise/division.hpp>

namespace exprax {

struct indexing_ij_t {};
// meshgrid: the first argument goes along the first axis, as a matrix is indexed. Else the first two are x and y of a plane.
inline constexpr indexing_ij_t indexing_ij{};
struct sparse_t {};
// meshgrid, indices: axes along which nothing changes have size 1.
inline constexpr sparse_t sparse{};
struct increasing_t {};
// vander: powers from 0 up.
inline constexpr increasing_t increasing{};

namespace detail {

template <>
inline constexpr option_word word_of<indexing_ij_t>{"indexing_ij"};
template <>
inline constexpr option_word word_of<sparse_t>{"sparse"};

template <class Tag, class... Tags>
inline constexpr bool is_among = (std::is_same_v<Tag, Tags> || ...);

template <bool Sparse, int Axis, class X, int... Sizes>
struct grid_shape {
  static constexpr aval value = [] {
    aval a(aval_in<X>.type, aval_in<X>.weak);
    int const of[] = {Sizes...};
    for (int i = 0; i < static_cast<int>(sizeof...(Sizes)); ++i) a.dims[a.rank++] = Sparse && i != Axis ? 1 : of[i];
    return a;
  }();
  static constexpr param_list params = [] {
    param_list l;
    for (int i = 0; i < value.rank; ++i) l.push(value.dims[i]);
    if (rank_in<X> == 1) l.push(Axis);
    return l;
  }();
};
template <bool Sparse, int Axis, int... Sizes, tracer X>
constexpr auto along_grid(X const& x) {
  using to = grid_shape<Sparse, Axis, X, Sizes...>;
  if constexpr (to::value.same_shape(X::type)) return x;
  else return bind<expr_from<to>>(prim::broadcast_in_dim, to::params, x);
}
template <bool Sparse, bool Xy>
struct meshgrid_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    return make(std::make_integer_sequence<int, sizeof...(X)>{}, expr_type<X>(as_traced(x))...);
  }

 private:
  static constexpr int place(int k, int n) { return Xy && n >= 2 && k < 2 ? 1 - k : k; }
  template <class... X>
  static constexpr int size(int k) {
    int const of[] = {static_cast<int>(X::size())...};
    return of[place(k, sizeof...(X))];
  }
  template <int... I, class... X>
  static constexpr auto make(std::integer_sequence<int, I...>, X const&... x) {
    return std::tuple{on_grid<place(I, sizeof...(X))>(std::integer_sequence<int, size<X...>(I)...>{}, x)...};
  }
  template <int Axis, int... Sizes, class X>
  static constexpr auto on_grid(std::integer_sequence<int, Sizes...>, X const& x) {
    return along_grid<Sparse, Axis, Sizes...>(x);
  }
};
template <class X>
inline constexpr bool is_a_list = rank_in<X> <= 1;

template <class T, bool Sparse, int... Dims, int... I>
constexpr auto index_grids(std::integer_sequence<int, I...>) {
  return std::tuple{along_grid<Sparse, I, Dims...>(broadcasted_iota<T, 0, Dims>())...};
}

// The values of f at all places of a grid, which are the leading axes of the result.
template <class R, int... Dims>
struct unflattened_shape {
  static constexpr aval value = [] {
    aval a(R::type.type, R::type.weak);
    int const of[] = {Dims..., 0};
    for (int i = 0; i < static_cast<int>(sizeof...(Dims)); ++i) a.dims[a.rank++] = of[i];
    for (int i = 1; i < R::rank; ++i) a.dims[a.rank++] = R::type.dims[i];
    return a;
  }();
};
template <class T, int Axis, int... Dims>
constexpr auto flat_iota() {
  auto const grid = broadcasted_iota<T, Axis, Dims...>();
  return reshaped<-1>(grid);
}
template <class T, int... Dims, class F, int... I>
constexpr auto from_function(F const& f, std::integer_sequence<int, I...>) {
  auto const grids = std::tuple{expr<T, (Dims * ... * 1)>(flat_iota<T, I, Dims...>())...};
  auto const values = std::apply([&f](auto const&... index) { return vmap(f)(index...); }, grids);
  using shape = unflattened_shape<std::remove_const_t<decltype(values)>, Dims...>;
  return untyped::typed<shape>(untyped::reshape(untyped::from(values), {shape::value.dims, shape::value.rank}));
}

template <class T, int N, bool Endpoint>
struct logspace_body {
  template <tracer A, tracer B, tracer Base>
  constexpr auto operator()(A const& start, B const& stop, Base const& base) const {
    using type = strong_t<inexact_t<T>>;
    expr<type> const a = cast<type>(start);
    expr<type> const b = cast<type>(stop);
    auto const exponents = linspace_op<type, N, Endpoint>{}(a, b);
    auto const powers = power(base, exponents);
    return expr<T, N>(cast<T>(powers));
  }
};
template <class T, int N, bool Endpoint>
struct logspace_op {
  template <operand A, operand B, operand Base>
  constexpr auto operator()(A const& start, B const& stop, Base const& base) const {
    using type = std::conditional_t<std::is_void_v<T>, strong_t<inexact_t<promote_t<type_in<A>, type_in<B>>>>, T>;
    return named_call<logspace_body<type, N, Endpoint>>("_logspace", start, stop, base);
  }
};
template <class T, int N, bool Endpoint>
struct geomspace_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& start, B const& stop) const {
    using type = strong_t<inexact_t<T>>;
    expr<type> const a = cast<type>(start);
    expr<type> const b = cast<type>(stop);
    expr<type> const side = record_unary<prim::sign>(a);
    auto const from = divide(log(divide(a, side)), 2.302585092994045684);
    auto const to = divide(log(divide(b, side)), 2.302585092994045684);
    auto const points = logspace_op<type, N, Endpoint>{}(expr<type>(from), expr<type>(to), 10.0f);
    auto const result = multiply(side, points);
    return expr<T, N>(cast<T>(result));
  }
};
template <class T, int N, bool Endpoint>
struct geomspace_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& start, B const& stop) const {
    using type = std::conditional_t<std::is_void_v<T>, strong_t<inexact_t<promote_t<type_in<A>, type_in<B>>>>, T>;
    return named_call<geomspace_body<type, N, Endpoint>>("_geomspace", start, stop);
  }
};

// Powers of each element in a row; by repeated multiplication, as integers have no pow.
template <int N, bool Increasing>
struct vander_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    using type = numeric_t<typename X::dtype_type>;
    constexpr int rows = X::extent(0);
    using column = expr<type, rows>;
    column const base = as_expr<type>(x);
    if constexpr (N == 0) {
      return constant_like<expr<type, rows, 0>>(x, strong_t<type>{});
    } else {
      std::array<column, N> powers;
      for (int k = 0; k < N; ++k) {
        int const exponent[] = {k};
        powers[static_cast<std::size_t>(Increasing ? k : N - 1 - k)] =
            k == 0 ? constant_like<column>(x, strong_t<type>(1)) : bind<column>(prim::integer_pow, exponent, base);
      }
      return stacked<1>(powers);
    }
  }
};
template <int N, bool Increasing>
struct vander_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<vander_body<(N < 0 ? rows_or_none<X> : N), Increasing>>("vander", x);
  }
  template <class X>
  static constexpr int rows_or_none = rank_in<X> == 1 ? aval_in<X>.dims[0] : 0;
};

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

// meshgrid(x, y), meshgrid(tuple(x, y), tags...): a tuple of grids, one for each vector or scalar (jax.numpy.meshgrid): [n], [m] -> [m, n],
// [m, n], in which x goes along the last axis. Tags: with indexing_ij the shape is [n, m]; with sparse all axes of a grid but its own have
// size 1. Arguments of two or more axes are refused.
template <array_like... X>
constexpr auto meshgrid(std::tuple<X...> const& x, auto... tags) {
  EXPRAX_TAKES("meshgrid", "indexing_ij, sparse", decltype(tags)...) {
    static_assert((detail::is_a_list<X> && ...), "exprax: meshgrid: arguments must be 1D");
    constexpr bool ij = detail::is_among<indexing_ij_t, decltype(tags)...>, thin = detail::is_among<sparse_t, decltype(tags)...>;
    return std::apply([](auto const&... p) { return detail::apply<detail::meshgrid_op<thin, !ij>>(p...); }, x);
  } else {
    return x;
  }
}
template <array_like... X>
constexpr auto meshgrid(X const&... x) {
  return meshgrid(std::tuple(x...));
}
// indices<2, 3>(): the indices of all places of the shape [2, 3], [2, 2, 3]: [0] is the row, [1] the column (jax.numpy.indices). int32, or
// T: indices<T, 2, 3>(). indices<2, 3>(sparse): a tuple, of [2, 1] and [1, 3].
template <class T, int... Dims>
constexpr auto indices() {
  return detail::created([] {
    return std::apply([](auto const&... grid) { return stack(grid...); },
                      detail::index_grids<canonical_t<T>, false, Dims...>(std::make_integer_sequence<int, sizeof...(Dims)>{}));
  });
}
template <int... Dims>
constexpr auto indices() {
  return indices<std::int32_t, Dims...>();
}
template <int... Dims>
constexpr auto indices(sparse_t) {
  return detail::created([] { return detail::index_grids<std::int32_t, true, Dims...>(std::make_integer_sequence<int, sizeof...(Dims)>{}); });
}

// fromfunction<2, 3>(f): f(i, j) at each place of the shape [2, 3] (jax.numpy.fromfunction); axes of its result come last. The indices are
// float32, or T: fromfunction<T, 2, 3>(f).
template <class T, int... Dims, class F>
constexpr auto fromfunction(F const& f) {
  auto const record = [&f] { return detail::from_function<canonical_t<T>, Dims...>(f, std::make_integer_sequence<int, sizeof...(Dims)>{}); };
  if constexpr (detail::is_stateless<F>)
    return detail::defer<decltype([] { return detail::from_function<canonical_t<T>, Dims...>(F{}, std::make_integer_sequence<int, sizeof...(Dims)>{}); })>(record);
  else return record();
}
template <int... Dims, class F>
constexpr auto fromfunction(F const& f) {
  return fromfunction<float, Dims...>(f);
}

// logspace<N>(a, b, base): base^a to base^b with equally spaced exponents, of scalars, [N] (jax.numpy.logspace); base is 10 if it is not
// given. Dtypes and the last sample as in linspace.
template <int N, bool Endpoint = true, detail::operand A, detail::operand B, detail::operand Base = float>
  requires(detail::rank_in<A> == 0 && detail::rank_in<B> == 0)  // between arrays: numpy/core/spaces.hpp
constexpr auto logspace(A const& start, B const& stop, Base const& base = 10) {
  return detail::created(detail::logspace_op<void, N, Endpoint>{}, start, stop, base);
}
template <class T, int N, bool Endpoint = true, detail::operand A, detail::operand B, detail::operand Base = float>
  requires(detail::rank_in<A> == 0 && detail::rank_in<B> == 0)  // between arrays: numpy/core/spaces.hpp
constexpr auto logspace(A const& start, B const& stop, Base const& base = 10) {
  return detail::created(detail::logspace_op<canonical_t<T>, N, Endpoint>{}, start, stop, base);
}
// geomspace<N>(a, b): numbers from a to b, both scalars, with equally spaced logarithms, [N] (jax.numpy.geomspace). Dtypes and the last
// sample as in linspace.
template <int N, bool Endpoint = true, detail::operand A, detail::operand B>
constexpr auto geomspace(A const& start, B const& stop) {
  return detail::created(detail::geomspace_op<void, N, Endpoint>{}, start, stop);
}
template <class T, int N, bool Endpoint = true, detail::operand A, detail::operand B>
constexpr auto geomspace(A const& start, B const& stop) {
  return detail::created(detail::geomspace_op<canonical_t<T>, N, Endpoint>{}, start, stop);
}
// vander(x), vander<N>(x): [n] -> [n, N], row i is x[i]^(N-1), ..., x[i], 1 (jax.numpy.vander); with increasing it is 1, x[i], ... N is n
// if it is not given. The dtype of x, bool becomes int32. An x that is no vector is refused.
template <int N = -1, array_like X>
constexpr auto vander(X const& x) {
  static_assert(detail::rank_in<X> == 1, "exprax: vander: x must be a one-dimensional array");
  return detail::apply<detail::vander_op<N, false>>(x);
}
template <int N = -1, array_like X>
constexpr auto vander(X const& x, increasing_t) {
  static_assert(detail::rank_in<X> == 1, "exprax: vander: x must be a one-dimensional array");
  return detail::apply<detail::vander_op<N, true>>(x);
}

}  // namespace exprax
