// SPDX-License-Identifier: BSL-1.0
// Collectives (jax.lax.psum, pmean, pmax, pmin, all_gather, all_to_all, ppermute, pshuffle, pswapaxes, axis_index, axis_size): what a
// function that vmap maps knows of all the elements along the mapped axis, by the axis' name:
//
//   ex::vmap([](auto x) { return x - ex::pmean(x, ex::axis_name<"i">); }, ex::axis_name<"i">)(xs)
//
// They take any pytree. A name that no vmap around the call binds is an error of the compiler. The name of an inner vmap hides the
// same name of an outer one. How many elements an axis has is not known to the types inside, so all_gather takes
// ex::axis_size<n>, which is checked.
#pragma once

#include <exprax/numpy/arithmetic.hpp>
#include <exprax/numpy/operators.hpp>
#include <exprax/numpy/tags.hpp>
#include <exprax/primitives/axis_names.hpp>

namespace exprax {

template <int Axis>
struct split_axis_t {};
// all_to_all: the axis that is cut, and the one along which the pieces are joined.
template <int Axis>
inline constexpr split_axis_t<Axis> split_axis{};
template <int Axis>
struct concat_axis_t {};
template <int Axis>
inline constexpr concat_axis_t<Axis> concat_axis{};

struct tiled_t {};
// all_gather and all_to_all: no axis appears or goes, what is gathered is joined along one that is there.
inline constexpr tiled_t tiled{};

namespace detail {

template <fixed_string... Name>
constexpr arena<int> with_axis_names(span<int> params) {
  arena<int> all;
  for (int p : params) all.push(p);
  (push_axis_name(all, Name.view()), ...);
  return all;
}
template <class Out>
constexpr Out over_axes(Out const& x) {
  resolve(expr_access::get(x)).on->names_axes = true;
  return x;
}
template <class E>
constexpr void blame_unless(bool right, E const& x) {
  if (!right) resolve(expr_access::get(x)).on->blame({mistake::not_a_permutation, 0, 0, {}});
}

// psum, pmax, pmin of a leaf. A C++ number stays weak, as in Python.
template <prim P, fixed_string... Name>
struct reduce_over {
  template <class X>
  constexpr auto operator()(X const& x) const {
    auto const v = as_numeric(lift(x));
    using in = std::remove_const_t<decltype(v)>;
    using out = std::conditional_t<scalar<X>, in, with_dtype_t<in, strong_t<typename in::dtype_type>>>;
    arena<int> const axes = with_axis_names<Name...>({});
    return over_axes(bind<out>(P, axes, v));
  }
  template <class E>
  static constexpr auto as_numeric(E const& e) {
    return convert_to<numeric_t<typename E::dtype_type>>(e);
  }
};
template <fixed_string... Name>
struct mean_over {
  template <class X>
  constexpr auto operator()(X const& x) const {
    auto const total = reduce_over<prim::psum, Name...>{}(x);
    using type = inexact_t<typename std::remove_const_t<decltype(total)>::dtype_type>;
    auto const sum = convert_to<type>(total);
    arena<int> const axes = with_axis_names<Name...>({});
    auto const count = bind<expr<strong_t<type>>>(prim::psum, axes, lit<strong_t<type>>{1});
    return bind<std::remove_const_t<decltype(sum)>>(prim::div, {}, sum, count);
  }
};

template <class X, int Axis, int N, bool Tiled>
struct gathered_shape {
  static constexpr int rank = X::rank + (Tiled ? 0 : 1), axis = Axis < 0 ? Axis + rank : Axis;
  static constexpr bool valid = axis >= 0 && axis < rank;
  static constexpr aval value = [] {
    if (!valid) return X::type;
    aval shape = Tiled ? X::type : X::type.with_axis(axis, N);
    if (Tiled) shape.dims[axis] *= N;
    return shape;
  }();
};
template <class X, int Axis>
inline constexpr bool gathers_along = false;
template <fixed_string Name, int N, int Axis, bool Tiled>
struct gather_over {
  template <class X>
  constexpr auto operator()(X const& value) const {
    auto const x = lift(value);
    using in = std::remove_const_t<decltype(x)>;
    using shape = gathered_shape<in, Axis, N, Tiled>;
    static_assert(shape::valid || gathers_along<in, Axis>, "exprax: all_gather: the axis is out of range for the array (with the new axis, where it is not tiled)");
    if constexpr (shape::valid) {
      int const own[] = {shape::axis, N, Tiled};
      arena<int> const params = with_axis_names<Name>(own);
      return over_axes(bind<expr_from<shape>>(prim::all_gather, params, x));
    } else {
      return x;
    }
  }
};
template <class... Tag>
struct gather_tags {
  static constexpr int axis = 0, size = -1;
  static constexpr bool tiled = false;
};
template <int A, class... Rest>
struct gather_tags<axis_t<A>, Rest...> : gather_tags<Rest...> {
  static constexpr int axis = A;
};
template <int N, class... Rest>
struct gather_tags<axis_size_t<N>, Rest...> : gather_tags<Rest...> {
  static constexpr int size = N;
};
template <class... Rest>
struct gather_tags<tiled_t, Rest...> : gather_tags<Rest...> {
  static constexpr bool tiled = true;
};

// The tiled exchange: axis Split is divided by N, axis Concat multiplied.
template <class X, int Split, int Concat, int N>
struct exchanged_shape {
  static constexpr aval value = [] {
    aval shape = X::type.with_type(X::type.type);
    shape.dims[Split] /= N;
    shape.dims[Concat] *= N;
    return shape;
  }();
};
template <class X, int Axis>
struct with_one_at {
  static constexpr aval value = X::type.with_axis(Axis, 1);
};
template <class X, int Axis>
struct without_one_at {
  static constexpr aval value = X::type.without_axis(Axis);
};
template <fixed_string Name, int Split, int Concat, int N, bool Tiled, class X>
constexpr auto exchange(X const& x) {
  int const own[] = {Split, Concat, N, Tiled};
  arena<int> const params = with_axis_names<Name>(own);
  return over_axes(bind<expr_from<exchanged_shape<X, Split, Concat, N>>>(prim::all_to_all, params, x));
}
// Not tiled: a new axis of one element for what is joined, and the one that was cut, of which one element is left, goes.
template <fixed_string Name, int Split, int Concat, class X>
constexpr auto exchange_whole(X const& x) {
  constexpr int n = X::extent(Split), concat = Split < Concat ? Concat + 1 : Concat, split = Split > Concat ? Split + 1 : Split;
  if constexpr (Split == Concat) {
    return exchange<Name, Split, Concat, n, false>(x);
  } else {
    using expanded = with_one_at<X, concat>;
    int par[2 * max_rank] = {};
    int count = 0;
    for (int i = 0; i < expanded::value.rank; ++i) par[count++] = expanded::value.dims[i];
    for (int i = 0; i < expanded::value.rank; ++i)
      if (i != concat) par[count++] = i;
    auto const pieces = exchange<Name, split, concat, n, false>(bind<expr_from<expanded>>(prim::broadcast_in_dim, {par, count}, x));
    int const gone[] = {split};
    return bind<expr_from<without_one_at<std::remove_const_t<decltype(pieces)>, split>>>(prim::squeeze, gone, pieces);
  }
}
template <class X, int Split, int Concat>
inline constexpr bool exchanges = false;
template <class X, int Split, int N>
inline constexpr bool splits = false;
// N: the size of the mapped axis, or -1.
template <fixed_string Name, int Split, int Concat, int N, bool Tiled>
struct exchange_over {
  template <class X>
  constexpr auto operator()(X const& value) const {
    auto const x = lift(value);
    using in = std::remove_const_t<decltype(x)>;
    constexpr int split = Split < 0 ? Split + in::rank : Split, concat = Concat < 0 ? Concat + in::rank : Concat;
    constexpr bool valid = split >= 0 && split < in::rank && concat >= 0 && concat < in::rank;
    static_assert(valid || exchanges<in, Split, Concat>, "exprax: all_to_all: split_axis or concat_axis is out of range for the array");
    if constexpr (!valid) {
      return x;
    } else if constexpr (!Tiled) {
      static_assert(N < 0 || in::extent(split) == N || splits<in, Split, N>,
                    "exprax: all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis]");
      static_assert(in::extent(split) > 0, "exprax: all_to_all: split_axis has no elements");
      return exchange_whole<Name, split, concat>(x);
    } else {
      constexpr bool divides = N > 0 && in::extent(split) % (N > 0 ? N : 1) == 0;
      static_assert(N > 0, "exprax: tiled all_to_all: the shape of its result depends on the size of the mapped axis: give it as ex::axis_size<n>");
      static_assert(N <= 0 || divides || splits<in, Split, N>,
                    "exprax: the size of all_to_all split_axis has to be divisible by the size of the named axis");
      if constexpr (divides) return exchange<Name, split, concat, N, true>(x);
      else return x;
    }
  }
};

template <fixed_string Name>
struct permute_over {
  span<int> sources;
  bool right;
  template <class X>
  constexpr auto operator()(X const& value) const {
    auto const x = lift(value);
    arena<int> own;
    own.push(sources.size());
    for (int s : sources) own.push(s);
    arena<int> const params = with_axis_names<Name>(own);
    auto const r = over_axes(bind<std::remove_const_t<decltype(x)>>(prim::ppermute, params, x));
    blame_unless(right, r);
    return r;
  }
};
// Each of 0, ..., n - 1 once.
constexpr bool is_permutation(span<int> p) {
  for (int i = 0; i < p.size(); ++i)
    if (!contains(p.data(), p.size(), i)) return false;
  return true;
}

}  // namespace detail

// The sum over the named axes (jax.lax.psum). bool counts as int. psum(1, name) is the size of the axis.
template <class X, detail::fixed_string... Name>
constexpr auto psum(X const& x, axis_name_t<Name...>) {
  return detail::map_values(detail::reduce_over<prim::psum, Name...>{}, x);
}
// The mean over the named axes (jax.lax.pmean); of integers it is a float.
template <class X, detail::fixed_string... Name>
constexpr auto pmean(X const& x, axis_name_t<Name...>) {
  return detail::map_values(detail::mean_over<Name...>{}, x);
}
// The largest and the smallest value over the named axes (jax.lax.pmax, pmin); NaN if any is NaN.
template <class X, detail::fixed_string... Name>
constexpr auto pmax(X const& x, axis_name_t<Name...>) {
  return detail::map_values(detail::reduce_over<prim::pmax, Name...>{}, x);
}
template <class X, detail::fixed_string... Name>
constexpr auto pmin(X const& x, axis_name_t<Name...>) {
  return detail::map_values(detail::reduce_over<prim::pmin, Name...>{}, x);
}

// The index along the named axis, an int (jax.lax.axis_index); of several names the row-major index.
template <detail::fixed_string Name, detail::fixed_string... More>
constexpr auto axis_index(axis_name_t<Name, More...>);

namespace detail {

template <fixed_string Name>
constexpr expr<std::int32_t> record_axis_index() {
  handle const h = new_tape();
  arena<int> const params = with_axis_names<Name>({});
  int const type = h.on->find_static_type(expr<std::int32_t>::type);
  return over_axes(expr_access::make<expr<std::int32_t>>(h.on, h.on->record(prim::axis_index, {}, params, {&type, 1})));
}
template <fixed_string Name, fixed_string... More>
constexpr auto row_major_index() {
  if constexpr (sizeof...(More) == 0) return 0 + record_axis_index<Name>() * 1;
  else return row_major_index<More...>() + record_axis_index<Name>() * psum(1, axis_name<More...>);
}

template <size_or_name... K>
constexpr auto named_axis_size<K...>::operator()() const {
  return psum(1, axis_name<K.name...>);
}

}  // namespace detail

template <detail::fixed_string Name, detail::fixed_string... More>
constexpr auto axis_index(axis_name_t<Name, More...>) {
  if constexpr (sizeof...(More) == 0) return detail::record_axis_index<Name>();
  else return detail::row_major_index<Name, More...>();
}

// The values along the named axis (jax.lax.all_gather): array<T, D...> → array<T, n, D...>, n = axis_size<n>. Tags: axis<k>, where the
// new axis stands; tiled: the values are joined along axis k.
template <class X, detail::fixed_string Name, class... Tags>
constexpr auto all_gather(X const& x, axis_name_t<Name>, Tags...) {
  using tags = detail::gather_tags<Tags...>;
  static_assert(tags::size >= 0, "exprax: all_gather: the size of its result is part of its type: give the size of the mapped axis, ex::axis_size<n>");
  if constexpr (tags::size >= 0) return detail::map_values(detail::gather_over<Name, tags::size, tags::axis, tags::tiled>{}, x);
}
// The mapped axis and axis split_axis change places; what was mapped stands at concat_axis (jax.lax.all_to_all). Tags: tiled, with
// axis_size<n>.
template <class X, detail::fixed_string Name, int Split, int Concat, class... Tags>
constexpr auto all_to_all(X const& x, axis_name_t<Name>, split_axis_t<Split>, concat_axis_t<Concat>, Tags...) {
  using tags = detail::gather_tags<Tags...>;
  return detail::map_values(detail::exchange_over<Name, Split, Concat, tags::size, tags::tiled>{}, x);
}
// all_to_all with both axes the same (jax.lax.pswapaxes).
template <class X, detail::fixed_string Name, int Axis>
constexpr auto pswapaxes(X const& x, axis_name_t<Name> name, axis_t<Axis>) {
  return all_to_all(x, name, split_axis<Axis>, concat_axis<Axis>);
}
// Index `to` gets the value of index `from`, for each pair (from, to): ppermute(x, name, {{0, 1}, {1, 2}, {2, 0}}) (jax.lax.ppermute).
// Under vmap the pairs are a permutation of all indices.
template <class X, detail::fixed_string Name, int N>
constexpr auto ppermute(X const& x, axis_name_t<Name>, int const (&pairs)[N][2]) {
  int sources[N], targets[N];
  for (int i = 0; i < N; ++i) {
    targets[i] = pairs[i][1];
    sources[i] = 0;
  }
  bool right = detail::is_permutation(targets);
  for (int i = 0; i < N && right; ++i) sources[pairs[i][1]] = pairs[i][0];
  right = right && detail::is_permutation(sources);
  return detail::map_values(detail::permute_over<Name>{sources, right}, x);
}
// Index i gets the value of index perm[i] (jax.lax.pshuffle).
template <class X, detail::fixed_string Name, int N>
constexpr auto pshuffle(X const& x, axis_name_t<Name>, int const (&perm)[N]) {
  return detail::map_values(detail::permute_over<Name>{perm, detail::is_permutation(perm)}, x);
}

}  // namespace exprax
