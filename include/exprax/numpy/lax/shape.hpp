// SPDX-License-Identifier: BSL-1.0
// ex::lax: arrays of one value or of indices, and functions of shape, as jax.lax has them: broadcast, broadcast_in_dim, broadcast_to_rank,
// reshape, collapse, pad, slice, split by sizes, concatenate.
#pragma once

#include <exprax/numpy/core/bind_several.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/lax/elementwise.hpp>
#include <exprax/numpy/shape/rolling.hpp>
#include <exprax/numpy/shape/transpose.hpp>

namespace exprax {

namespace detail {

template <int... Sizes>
struct lax_broadcast_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return with_leading(as_traced(x));
  }

 private:
  template <class T, int... D>
  static constexpr auto with_leading(expr<T, D...> const& x) {
    return expr<T, Sizes..., D...>(broadcast_shape<shape_value<Sizes..., D...>>(x));
  }
};
template <class Shape, int... Dims>
struct broadcast_in_dim_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    constexpr int dims[] = {Dims..., 0};
    auto const traced = as_traced(x);
    return untyped::typed<shaped_as<Shape, X>>(
        untyped::broadcast_in_dim(untyped::from(traced), Shape::value, {dims, static_cast<int>(sizeof...(Dims))}));
  }
};

// Low, high and interior padding of each axis; a negative one takes elements away.
template <class X, int... Config>
struct lax_padded_shape {
  static constexpr int given[sizeof...(Config) + 1] = {Config..., 0};
  static constexpr int low(int i) { return given[3 * i]; }
  static constexpr int high(int i) { return given[3 * i + 1]; }
  static constexpr int interior(int i) { return given[3 * i + 2]; }
  static constexpr bool fits = static_cast<int>(sizeof...(Config)) == 3 * rank_in<X>;
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    for (int i = 0; fits && i < a.rank; ++i) {
      int const n = a.dims[i];
      a.dims[i] = n + low(i) + high(i) + (n > 1 ? (n - 1) * interior(i) : 0);
    }
    return a;
  }();
  static constexpr bool valid = [] {
    for (int i = 0; fits && i < rank_in<X>; ++i)
      if (value.dims[i] < 0 || interior(i) < 0) return false;
    return fits;
  }();
  static constexpr param_list params = [] {
    param_list l;
    for (int i = 0; i < rank_in<X>; ++i) l.push(low(i));
    for (int i = 0; i < rank_in<X>; ++i) l.push(high(i));
    for (int i = 0; i < rank_in<X>; ++i) l.push(interior(i));
    return l;
  }();
};
template <int... Config>
struct lax_pad_op {
  template <operand X, operand V>
  constexpr auto operator()(X const& x, V const& value) const {
    using to = lax_padded_shape<X, Config...>;
    auto&& v = cast<type_in<X>>(value);
    return detail::bind<expr_from<to>>(prim::pad, to::params, as_traced(x), v);
  }
};

template <class X, int Start, int Stop>
struct collapsed_shape {
  static constexpr int first = normal_axis(Start, rank_in<X>), last = normal_axis(Stop, rank_in<X>);
  static constexpr bool fits = first >= 0 && first < last && last <= rank_in<X>;
  static constexpr aval value = [] {
    aval a(aval_in<X>.type, aval_in<X>.weak);
    int joined = 1;
    for (int i = 0; fits && i < rank_in<X>; ++i) {
      if (i >= first && i < last) joined *= aval_in<X>.dims[i];
      else a.dims[a.rank++] = aval_in<X>.dims[i];
      if (i == last - 1) a.dims[a.rank++] = joined;
    }
    return a;
  }();
};
template <int Start, int Stop>
struct collapse_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using to = collapsed_shape<X, Start, Stop>;
    auto const traced = as_traced(x);
    return untyped::typed<to>(untyped::reshape(untyped::from(traced), {to::value.dims, to::value.rank}));
  }
};
template <class X, class Starts, class Limits, class Strides>
struct lax_sliced_shape;
template <class X, int... S, int... L, int... D>
struct lax_sliced_shape<X, axis_t<S...>, axis_t<L...>, axis_t<D...>> {
  static constexpr int start[sizeof...(S) + 1] = {S..., 0}, limit[sizeof...(L) + 1] = {L..., 0}, given[sizeof...(D) + 1] = {D..., 0};
  static constexpr int stride(int i) { return sizeof...(D) ? given[i] : 1; }
  static constexpr bool fits = [] {
    if (static_cast<int>(sizeof...(S)) != rank_in<X> || static_cast<int>(sizeof...(L)) != rank_in<X>) return false;
    if (sizeof...(D) > 0 && static_cast<int>(sizeof...(D)) != rank_in<X>) return false;
    for (int i = 0; i < rank_in<X>; ++i)
      if (start[i] < 0 || limit[i] < start[i] || limit[i] > aval_in<X>.dims[i] || stride(i) <= 0) return false;
    return true;
  }();
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    for (int i = 0; fits && i < a.rank; ++i) a.dims[i] = (limit[i] - start[i] + stride(i) - 1) / stride(i);
    return a;
  }();
  static constexpr param_list params = [] {
    param_list l;
    for (int s : {S...}) l.push(s);
    for (int e : {L...}) l.push(e);
    if (sizeof...(D) > 0)
      for (int i = 0; i < rank_in<X>; ++i) l.push(given[i]);
    return l;
  }();
};
template <class Starts, class Limits, class Strides>
struct lax_slice_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using to = lax_sliced_shape<X, Starts, Limits, Strides>;
    return detail::bind<expr_from<to>>(prim::slice, to::params, as_traced(x));
  }
};
template <class Order, int... Sizes>
struct ordered_reshape_op;
template <int... Order, int... Sizes>
struct ordered_reshape_op<axis_t<Order...>, Sizes...> {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto const transposed = transpose_op<Order...>{}(x);
    return reshaped<Sizes...>(transposed);
  }
};

template <class X, int Axis, int... Sizes>
struct parts_of_sizes {
  static constexpr int axis = normal_axis(Axis, rank_in<X>);
  static constexpr bool fits = axis >= 0 && axis < rank_in<X> && ((Sizes >= 0) && ...) &&
                               (0 + ... + Sizes) == aval_in<X>.dims[axis >= 0 && axis < rank_in<X> ? axis : 0];
  template <int Size>
  struct part {
    static constexpr aval value = [] {
      aval a = aval_in<X>;
      if (fits) a.dims[axis] = Size;
      return a;
    }();
  };
};
template <int Axis, int... Sizes>
struct split_sizes_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using to = parts_of_sizes<X, Axis, Sizes...>;
    int const params[] = {to::axis, Sizes...};
    return bind_several<expr_from<typename to::template part<Sizes>>...>(prim::split, params, {}, as_traced(x));
  }
};

// Conditions of static_asserts: compilers print the types.
template <class Shape, class X, int... Dims>
inline constexpr bool maps_axes = [] {
  constexpr int dims[] = {Dims..., 0};
  if (static_cast<int>(sizeof...(Dims)) != rank_in<X>) return false;
  for (int i = 0; i < rank_in<X>; ++i) {
    if (dims[i] < 0 || dims[i] >= Shape::value.rank || (i > 0 && dims[i] <= dims[i - 1])) return false;
    if (aval_in<X>.dims[i] != 1 && aval_in<X>.dims[i] != Shape::value.dims[dims[i]]) return false;
  }
  return true;
}();
template <class... X>
inline constexpr bool are_of_one_dtype = true;
template <class First, class... Rest>
inline constexpr bool are_of_one_dtype<First, Rest...> = ((aval_in<First>.type == aval_in<Rest>.type) && ...);

}  // namespace detail

namespace lax {

using exprax::broadcasted_iota;
using exprax::iota;
// [Dims...] of dtype T, all of them value (jax.lax.full).
template <class T, int... Dims, detail::operand V>
constexpr auto full(V const& value) {
  return exprax::full<T, Dims...>(value);
}
using exprax::full_like;

// New leading axes: broadcast<2, 3>(x): [...] -> [Sizes..., ...]; dtype of x (jax.lax.broadcast).
template <int... Sizes, array_like X>
constexpr auto broadcast(X const& x) {
  return detail::apply<detail::lax_broadcast_op<Sizes...>>(x);
}
// broadcast_in_dim<2, 3>(x, axis<1>): in the shape [2, 3], the axes of x being those named; dtype of x. Refused: axes that are not one for
// each of x, in increasing order; sizes that are neither equal nor 1 (jax.lax.broadcast_in_dim, StableHLO broadcast_in_dim).
template <int... Sizes, array_like X, int... Dims>
constexpr auto broadcast_in_dim(X const& x, axis_t<Dims...>) {
  static_assert(detail::maps_axes<detail::shape_value<Sizes...>, X, Dims...>,
                "exprax: lax.broadcast_in_dim: name an axis of the result for each axis of the operand, in increasing order; sizes must be "
                "equal or 1");
  return detail::apply<detail::broadcast_in_dim_op<detail::shape_value<Sizes...>, Dims...>>(x);
}
using exprax::reshape;
// reshape<6>(x, axis<1, 0>): the elements of x with its axes in that order, in the shape [6]; dtype of x. Refused: axes that are not a
// permutation (jax.lax.reshape with dimensions).
template <int... Sizes, array_like X, int... Order>
constexpr auto reshape(X const& x, axis_t<Order...>) {
  static_assert(detail::permutes<X, Order...>, "exprax: lax.reshape: dimensions must be a permutation of all axes");
  if constexpr (detail::permutes<X, Order...>) return detail::apply<detail::ordered_reshape_op<axis_t<Order...>, Sizes...>>(x);
  else return x;  // after the error: nothing that leads to others
}
// collapse<start, stop>(x): the axes start to stop - 1 as one; stop is the rank if it is not given. Dtype of x. Refused: bounds that are
// not axes in this order (jax.lax.collapse).
template <int Start, int Stop, array_like X>
constexpr auto collapse(X const& x) {
  static_assert(detail::collapsed_shape<X, Start, Stop>::fits,
                "exprax: lax.collapse: start and stop must be axes of the operand, in this order");
  if constexpr (detail::collapsed_shape<X, Start, Stop>::fits) return detail::apply<detail::collapse_op<Start, Stop>>(x);
  else return x;  // after the error: nothing that leads to others
}
template <int Start, array_like X>
constexpr auto collapse(X const& x) {
  return collapse<Start, detail::rank_in<X>>(x);
}
using exprax::expand_dims;
using exprax::rev;
using exprax::squeeze;
using exprax::transpose;
// pad<low, high, interior, ...>(x, value): three numbers for each axis, [n] -> [low + n + (n - 1) interior + high]; negative low and high
// take elements away. Dtype of x. Refused: another count of numbers, negative interior or sizes, a value that is not a scalar of x's dtype
// (jax.lax.pad, StableHLO pad).
template <int... Config, array_like X, array_like V>
constexpr auto pad(X const& x, V const& value) {
  static_assert(detail::lax_padded_shape<X, Config...>::valid,
                "exprax: lax.pad: give low, high and interior padding for each axis; interior padding and the sizes of the result must not "
                "be negative");
  static_assert(detail::have_one_dtype<X, V> && detail::rank_in<V> == 0,
                "exprax: lax.pad: the padding value must be a scalar of the operand's dtype");
  return detail::apply<detail::lax_pad_op<Config...>>(x, value);
}
// slice(x, axis<starts...>, axis<limits...>, axis<strides...>): start, start + stride, ... below limit: [n] -> [ceil((limit - start) /
// stride)]; dtype of x. Refused: bounds outside of x, or not one for each axis; strides below 1 (jax.lax.slice, StableHLO slice).
inline constexpr struct slice_function {
  template <array_like X, int... Start, int... Limit, int... Stride>
  constexpr auto operator()(X const& x, axis_t<Start...>, axis_t<Limit...>, axis_t<Stride...> = {}) const {
    static_assert(detail::lax_sliced_shape<X, axis_t<Start...>, axis_t<Limit...>, axis_t<Stride...>>::fits,
                  "exprax: lax.slice: give a start, a limit (and a stride) for each axis, with 0 <= start <= limit <= size");
    return detail::apply<detail::lax_slice_op<axis_t<Start...>, axis_t<Limit...>, axis_t<Stride...>>>(x);
  }
} slice{};
// Arrays one after the other along an axis; their dtype. Refused: different dtypes, other axes that differ in size (jax.lax.concatenate,
// StableHLO concatenate).
inline constexpr struct concatenate_function {
  template <array_like... X, int Axis>
  constexpr auto operator()(std::tuple<X...> const& x, axis_t<Axis> a) const {
    static_assert(detail::are_of_one_dtype<X...>, "exprax: lax.concatenate requires arguments to have the same dtypes");
    return exprax::concatenate(x, a);
  }
  EXPRAX_REFUSES_NUMBERS("lax::concatenate", "an axis is part of a type: write ex::lax::concatenate(ex::tuple(x, y), ex::axis<0>)")
} concatenate{};
// split<2, 3>(x, axis<0>): consecutive parts of these sizes, a tuple; dtype of x. Refused: sizes that do not add up to that of the axis
// (jax.lax.split).
template <int... Sizes, array_like X, int Axis = 0>
constexpr auto split(X const& x, axis_t<Axis> = {}) {
  static_assert(detail::parts_of_sizes<X, Axis, Sizes...>::fits,
                "exprax: lax.split: the sizes must not be negative and add up to the size of the axis");
  if constexpr (detail::parts_of_sizes<X, Axis, Sizes...>::fits) return detail::apply<detail::split_sizes_op<Axis, Sizes...>>(x);
  else return std::tuple(x);
}
// New leading axes of size 1, up to R in all; dtype of x. Refused: R below the rank (jax.lax.broadcast_to_rank).
template <int R, array_like X>
constexpr auto broadcast_to_rank(X const& x) {
  static_assert(R >= detail::rank_in<X>, "exprax: lax.broadcast_to_rank: the rank must not be less than that of the array");
  return [&]<int... I>(std::integer_sequence<int, I...>) { return exprax::expand_dims(x, axis<I...>); }
  (std::make_integer_sequence<int, R - detail::rank_in<X>>{});
}
using exprax::tile;

}  // namespace lax

}  // namespace exprax
