// SPDX-License-Identifier: BSL-1.0
// Grids of coordinates (jax.numpy): meshgrid, mgrid, ogrid, indices, fromfunction.
#pragma once

#include <exprax/api/vmap/vmap.hpp>
#include <exprax/base/options.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/core/tags.hpp>
#include <exprax/numpy/shape/joining.hpp>

namespace exprax {

struct indexing_ij_t {};
// meshgrid: the first argument goes along the first axis, as a matrix is indexed. Else the first two are x and y of a plane.
inline constexpr indexing_ij_t indexing_ij{};
struct sparse_t {};
// meshgrid, indices: axes along which nothing changes have size 1.
inline constexpr sparse_t sparse{};

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
  else return detail::bind<expr_from<to>>(prim::broadcast_in_dim, to::params, x);
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

}  // namespace detail

// meshgrid(x, y), meshgrid(tuple(x, y), tags...): a tuple of grids, one for each vector or scalar (jax.numpy.meshgrid): [n], [m] -> [m, n],
// [m, n], in which x goes along the last axis. Tags: with indexing_ij the shape is [n, m]; with sparse all axes of a grid but its own have
// size 1. Arguments of two or more axes are refused.
inline constexpr struct meshgrid_function {
  template <array_like... X>
  constexpr auto operator()(std::tuple<X...> const& x, auto... tags) const {
    EXPRAX_TAKES("meshgrid", "indexing_ij, sparse", decltype(tags)...) {
      static_assert((detail::is_a_list<X> && ...), "exprax: meshgrid: arguments must be 1D");
      constexpr bool ij = detail::is_among<indexing_ij_t, decltype(tags)...>, thin = detail::is_among<sparse_t, decltype(tags)...>;
      return std::apply([](auto const&... p) { return detail::apply<detail::meshgrid_op<thin, !ij>>(p...); }, x);
    } else {
      return x;
    }
  }
  template <array_like... X>
  constexpr auto operator()(X const&... x) const {
    return (*this)(std::tuple(x...));
  }
} meshgrid{};
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
  return detail::created(
      [] { return detail::index_grids<std::int32_t, true, Dims...>(std::make_integer_sequence<int, sizeof...(Dims)>{}); });
}

// fromfunction<2, 3>(f): f(i, j) at each place of the shape [2, 3] (jax.numpy.fromfunction); axes of its result come last. The indices are
// float32, or T: fromfunction<T, 2, 3>(f).
template <class T, int... Dims, class F>
constexpr auto fromfunction(F const& f) {
  auto const record = [&f] {
    return detail::from_function<canonical_t<T>, Dims...>(f, std::make_integer_sequence<int, sizeof...(Dims)>{});
  };
  if constexpr (detail::is_stateless<F>)
    return detail::defer<decltype(
        [] { return detail::from_function<canonical_t<T>, Dims...>(F{}, std::make_integer_sequence<int, sizeof...(Dims)>{}); })>(record);
  else return record();
}
template <int... Dims, class F>
constexpr auto fromfunction(F const& f) {
  return fromfunction<float, Dims...>(f);
}
// The coordinates of a grid, jax.numpy.mgrid[0:3, 1:4]: mgrid(slice<0, 3>, slice<1, 4>): [number of slices, sizes...], of one slice a
// vector. The dtype is that of arange (jax.numpy.mgrid).
inline constexpr struct mgrid_function {
  template <auto Start, auto Stop, int Step>
  constexpr auto operator()(slice_t<Start, Stop, Step>) const {
    return arange<Start, Stop, Step>();
  }
  template <auto... Start, auto... Stop, int... Step>
    requires(sizeof...(Step) > 1)
  constexpr auto operator()(slice_t<Start, Stop, Step>...) const {
      return std::apply([](auto const&... x) { return stack(std::tuple{x...}); },
                        meshgrid(std::tuple{arange<Start, Stop, Step>()...}, indexing_ij));
  }
} mgrid{};
// The same as a tuple of arrays that broadcast to the grid, [n, 1, ...], [1, m, ...], ...; of one slice a vector (jax.numpy.ogrid).
inline constexpr struct ogrid_function {
  template <auto Start, auto Stop, int Step>
  constexpr auto operator()(slice_t<Start, Stop, Step>) const {
    return arange<Start, Stop, Step>();
  }
  template <auto... Start, auto... Stop, int... Step>
    requires(sizeof...(Step) > 1)
  constexpr auto operator()(slice_t<Start, Stop, Step>...) const {
    return meshgrid(std::tuple{arange<Start, Stop, Step>()...}, indexing_ij, sparse);
  }
} ogrid{};

}  // namespace exprax
