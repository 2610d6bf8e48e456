// SPDX-License-Identifier: BSL-1.0
// all_gather, all_to_all, pswapaxes (jax.lax): a named axis of vmap as an axis of values, and the other way round. The types inside of
// a mapped function do not know how long the mapped axis is, so all_gather takes ex::axis_size<n>, which is checked.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/collectives/psum.hpp>
#include <exprax/numpy/core/tags.hpp>

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

template <>
inline constexpr option_word word_of<tiled_t>{"tiled"};

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
    static_assert(shape::valid || gathers_along<in, Axis>,
                  "exprax: all_gather: the axis is out of range for the array (with the new axis, where it is not tiled)");
    if constexpr (shape::valid) {
      int const own[] = {shape::axis, N, Tiled};
      arena<int> const params = with_axis_names<Name>(own);
      return over_axes(detail::bind<expr_from<shape>>(prim::all_gather, params, x));
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
  return over_axes(detail::bind<expr_from<exchanged_shape<X, Split, Concat, N>>>(prim::all_to_all, params, x));
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
    auto const pieces = exchange<Name, split, concat, n, false>(detail::bind<expr_from<expanded>>(prim::broadcast_in_dim, {par, count}, x));
    int const gone[] = {split};
    return detail::bind<expr_from<without_one_at<std::remove_const_t<decltype(pieces)>, split>>>(prim::squeeze, gone, pieces);
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
      static_assert(
          N > 0, "exprax: tiled all_to_all: the shape of its result depends on the size of the mapped axis: give it as ex::axis_size<n>");
      static_assert(N <= 0 || divides || splits<in, Split, N>,
                    "exprax: the size of all_to_all split_axis has to be divisible by the size of the named axis");
      if constexpr (divides) return exchange<Name, split, concat, N, true>(x);
      else return x;
    }
  }
};

}  // namespace detail

// The values along the named axis: array<T, D...> -> array<T, n, D...>, n = axis_size<n>, which must be given. Options: axis<k>, where the
// new axis stands; tiled: the values are joined along axis k. dtype of x. Refused: no size, an axis out of range (jax.lax.all_gather).
inline constexpr struct all_gather_function : detail::takes_no_text {
  using takes_no_text::operator();
  template <class X, detail::fixed_string Name, class... Tags>
  constexpr auto operator()(X const& x, axis_name_t<Name>, Tags...) const {
    EXPRAX_TAKES("all_gather", "axis<k>, axis_size<n>, tiled", Tags...) {
      using tags = detail::gather_tags<Tags...>;
      static_assert(tags::size >= 0,
                    "exprax: all_gather: the size of its result is part of its type: give the size of the mapped axis, ex::axis_size<n>");
      if constexpr (tags::size >= 0) return detail::map_values(detail::gather_over<Name, tags::size, tags::axis, tags::tiled>{}, x);
    } else {
      return x;
    }
  }
} all_gather{};
// The mapped axis and axis split_axis change places; what was mapped stands at concat_axis: shape of x, with the axis moved. tiled, with
// axis_size<n>: split_axis is n times shorter, concat_axis n times longer. dtype of x. Refused: axes out of range, sizes that are not n or
// a multiple of it (jax.lax.all_to_all).
inline constexpr struct all_to_all_function : detail::takes_no_text {
  using takes_no_text::operator();
  template <class X, detail::fixed_string Name, int Split, int Concat, class... Tags>
  constexpr auto operator()(X const& x, axis_name_t<Name>, split_axis_t<Split>, concat_axis_t<Concat>, Tags...) const {
    EXPRAX_TAKES("all_to_all", "axis_size<n>, tiled", Tags...) {
      using tags = detail::gather_tags<Tags...>;
      return detail::map_values(detail::exchange_over<Name, Split, Concat, tags::size, tags::tiled>{}, x);
    } else {
      return x;
    }
  }
} all_to_all{};
// all_to_all with both axes the same; shape and dtype of x (jax.lax.pswapaxes).
inline constexpr struct pswapaxes_function : detail::takes_no_text {
  using takes_no_text::operator();
  template <class X, detail::fixed_string Name, int Axis>
  constexpr auto operator()(X const& x, axis_name_t<Name> name, axis_t<Axis>) const {
    return all_to_all(x, name, split_axis<Axis>, concat_axis<Axis>);
  }
} pswapaxes{};

}  // namespace exprax
