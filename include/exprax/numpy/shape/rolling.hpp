// SPDX-License-Identifier: BSL-1.0
// The same elements at other places, and copies of them (jax.numpy): roll, rot90, flipud, fliplr, rollaxis, tile, resize.
#pragma once

#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/indexing/dynamic.hpp>
#include <exprax/numpy/shape/transpose.hpp>

namespace exprax {

namespace detail {

template <int... N>
struct int_values {
  static constexpr int count = static_cast<int>(sizeof...(N));
  static constexpr int of[sizeof...(N) + 1] = {N..., 0};
};

// What goes over the end of an axis comes in at its begin.
constexpr handle rolled(handle const& x, int axis, int shift) {
  int const n = untyped::type_of(x).dims[axis];
  if (n == 0) return x;
  int const first = (n - shift % n) % n;
  if (first == 0) return x;
  arena<handle> parts;
  parts.push(untyped::slice(x, axis, first, n));
  parts.push(untyped::slice(x, axis, 0, first));
  return untyped::concatenate(parts, axis);
}
template <class Shifts, class Axes>
struct roll_body {
  template <tracer X>
  constexpr X operator()(X const& x) const {
    handle r = untyped::from(x);
    int const n = Shifts::count > Axes::count ? Shifts::count : Axes::count;  // a single one goes with all of the other
    for (int k = 0; k < n; ++k)
      r = rolled(r, normal_axis(Axes::of[Axes::count == 1 ? 0 : k], X::rank), Shifts::of[Shifts::count == 1 ? 0 : k]);
    return untyped::as<X>(r);
  }
};
template <class Shifts, class Axes>
struct roll_op {
  template <operand X>
  constexpr expr_type<X> operator()(X const& x) const {
    if constexpr (Axes::count > 0) {
      return named_call<roll_body<Shifts, Axes>>("_roll_static", x);
    } else {
      auto const flat = reshaped<-1>(as_traced(x));
      auto const moved = named_call<roll_body<Shifts, int_values<0>>>("_roll_static", flat);
      return untyped::as<expr_type<X>>(untyped::reshape(untyped::from(moved), {aval_in<X>.dims, rank_in<X>}));
    }
  }
};
// By a number that is known at run time only: a block of the array after itself.
template <int Axis>
struct roll_by_body {
  template <tracer X, tracer S>
  constexpr X operator()(X const& x, S const& shift) const {
    constexpr int axis = normal_axis(Axis, X::rank), n = X::extent(axis);
    arena<handle> twice;
    twice.push(untyped::from(x));
    twice.push(untyped::from(x));
    // A scalar, which depends on a template parameter: nothing is instantiated before.
    using number = with_dtype_t<expr<typename S::dtype_type>, std::int32_t>;
    number const by = remainder(convert_to<std::int32_t>(shift), n > 0 ? n : 1);
    number const first = subtract(n, by);
    arena<handle> in;
    in.push(untyped::concatenate(twice, axis));
    for (int i = 0; i < X::rank; ++i) {
      if (i == axis) in.push(untyped::from(first));
      else in.push(scalar_handle<std::int32_t>(in[0], 0));
    }
    return untyped::as<X>(untyped::record(prim::dynamic_slice, in, {X::type.dims, X::rank}, X::type));
  }
};
template <int Axis>
struct roll_by_op {
  template <operand X, operand S>
  constexpr auto operator()(X const& x, S const& shift) const {
    return named_call<roll_by_body<Axis>>("_roll_dynamic", x, shift);
  }
};
struct roll_flat_by_op {
  template <operand X, operand S>
  constexpr expr_type<X> operator()(X const& x, S const& shift) const {
    auto const flat = reshaped<-1>(as_traced(x));
    auto const moved = roll_by_op<0>{}(flat, shift);
    return untyped::as<expr_type<X>>(untyped::reshape(untyped::from(moved), {aval_in<X>.dims, rank_in<X>}));
  }
};

constexpr handle with_swapped_axes(handle const& x, int a, int b) {
  arena<int> permutation;
  for (int i = 0; i < untyped::type_of(x).rank; ++i) permutation.push(i == a ? b : i == b ? a : i);
  return untyped::transpose(x, permutation);
}
template <class X, int K, int A, int B>
struct rotated_shape {
  static constexpr int turns = (K % 4 + 4) % 4, a = normal_axis(A, rank_in<X>), b = normal_axis(B, rank_in<X>);
  static constexpr aval value = [] {
    aval s = aval_in<X>;
    if (turns % 2 == 1) s.dims[a] = aval_in<X>.dims[b], s.dims[b] = aval_in<X>.dims[a];
    return s;
  }();
};
template <int K, int A, int B>
struct rot90_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    using to = rotated_shape<X, K, A, B>;
    handle r = untyped::from(x);
    if (to::turns == 1) r = with_swapped_axes(untyped::rev(r, to::b), to::a, to::b);
    if (to::turns == 2) r = untyped::rev(untyped::rev(r, to::a), to::b);
    if (to::turns == 3) r = untyped::rev(with_swapped_axes(r, to::a, to::b), to::b);
    return untyped::typed<to>(r);
  }
};
template <int K, int A, int B>
struct rot90_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<rot90_body<K, A, B>>("rot90", x);
  }
};

// Copies along each axis; fewer counts than axes are those of the last axes, more make new leading axes.
template <class X, int... Counts>
struct tiled_shape {
  static constexpr int given = static_cast<int>(sizeof...(Counts)), rank = given > rank_in<X> ? given : rank_in<X>;
  static constexpr int count(int axis) {
    int const of[] = {Counts..., 1};
    return axis < rank - given ? 1 : of[axis - (rank - given)];
  }
  static constexpr int size(int axis) { return axis < rank - rank_in<X> ? 1 : aval_in<X>.dims[axis - (rank - rank_in<X>)]; }
  static constexpr aval value = [] {
    aval s(aval_in<X>.type, aval_in<X>.weak);
    s.rank = rank;
    for (int i = 0; i < rank; ++i) s.dims[i] = count(i) * size(i);
    return s;
  }();
};
template <int... Counts>
struct tile_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using to = tiled_shape<X, Counts...>;
    aval first(aval_in<X>.type, aval_in<X>.weak);
    for (int i = 0; i < to::rank; ++i) first.dims[first.rank++] = to::size(i);
    auto const traced = as_traced(x);
    handle r = untyped::broadcast_to(untyped::from(traced), first);
    for (int i = 0; i < to::rank; ++i) {
      if (to::count(i) == 1) continue;
      // A new axis before axis i, of that many copies, and both as one.
      aval const now = untyped::type_of(r), wide = now.with_axis(i, to::count(i));
      param_list dims;
      for (int k = 0; k < now.rank; ++k) dims.push(k + (k >= i));
      aval joined = now;
      joined.dims[i] *= to::count(i);
      r = untyped::reshape(untyped::broadcast_in_dim(r, wide, dims), {joined.dims, joined.rank});
    }
    return untyped::typed<to>(r);
  }
};

template <int... Sizes>
struct resize_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    using type = typename X::dtype_type;
    using out = expr<type, Sizes...>;
    if constexpr (X::size() == 0 || out::size() == 0) {
      return out(broadcast_shape<shape_value<Sizes...>>(as_expr<type>(0)));
    } else {
      constexpr int n = static_cast<int>(out::size()), copies = static_cast<int>((out::size() + X::size() - 1) / X::size());
      auto const flat = reshaped<-1>(x);
      auto const many = tile_op<copies>{}(flat);
      int const to[] = {Sizes..., 0};
      return untyped::as<out>(untyped::reshape(untyped::slice(untyped::from(many), 0, 0, n), {to, static_cast<int>(sizeof...(Sizes))}));
    }
  }
};
template <int... Sizes>
struct resize_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<resize_body<Sizes...>>("resize", x);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, class Axes>
inline constexpr bool has_all_axes = [] {
  for (int k = 0; k < Axes::count; ++k)
    if (normal_axis(Axes::of[k], rank_in<X>) < 0 || normal_axis(Axes::of[k], rank_in<X>) >= rank_in<X>) return false;
  return true;
}();
template <int... Axes>
struct roll_along_op {
  template <operand X, operand... S>
  constexpr auto operator()(X const& x, S const&... shifts) const {
    auto y = as_traced(x);
    ((y = roll_by_op<Axes>{}(y, shifts)), ...);
    return y;
  }
};
template <class Shifts, class Axes>
inline constexpr bool shifts_go_with_axes = Shifts::count == Axes::count || Shifts::count == 1 || Axes::count == 1;
template <class X, int Axis, int Start>
inline constexpr bool can_roll_axis = normal_axes<Axis>(rank_in<X>).valid && Start >= -rank_in<X> && Start <= rank_in<X>;

}  // namespace detail

// roll<2>(x): of all elements, in row-major order; roll<1, -1>(x, axis<0, 1>): along axes (jax.numpy.roll). What leaves at one end enters
// at the other; the shape of x. Refused: axes out of range, neither one shift nor one axis nor as many of both.
template <int... Shifts, array_like X>
  requires(sizeof...(Shifts) == 1)
constexpr auto roll(X const& x) {
  return detail::apply<detail::roll_op<detail::int_values<Shifts...>, detail::int_values<>>>(x);
}
template <int... Shifts, array_like X, int... Axes>
  requires(sizeof...(Shifts) > 0)
constexpr auto roll(X const& x, axis_t<Axes...>) {
  static_assert(detail::has_all_axes<X, detail::int_values<Axes...>>, "exprax: roll: an axis is out of range");
  static_assert(detail::shifts_go_with_axes<detail::int_values<Shifts...>, detail::int_values<Axes...>>,
                "exprax: roll: give one shift, one axis, or as many shifts as axes");
  if constexpr (detail::has_all_axes<X, detail::int_values<Axes...>> &&
                detail::shifts_go_with_axes<detail::int_values<Shifts...>, detail::int_values<Axes...>>)
    return detail::apply<detail::roll_op<detail::int_values<Shifts...>, detail::int_values<Axes...>>>(x);
  else return x;  // after the error: nothing that leads to others
}
// roll(x, n), roll(x, n, axis<k>): by a scalar integer that may be traced. An axis out of range is refused.
template <array_like X, array_like S>
constexpr auto roll(X const& x, S const& shift) {
  return detail::apply<detail::roll_flat_by_op>(x, shift);
}
template <array_like X, array_like S, int Axis>
constexpr auto roll(X const& x, S const& shift, axis_t<Axis>) {
  static_assert(detail::has_all_axes<X, detail::int_values<Axis>>, "exprax: roll: the axis is out of range");
  if constexpr (detail::has_all_axes<X, detail::int_values<Axis>>) return detail::apply<detail::roll_by_op<Axis>>(x, shift);
  else return x;  // after the error: nothing that leads to others
}
// roll(x, std::tuple(i, j), axis<0, 1>): by such integers along several axes.
template <array_like X, array_like... S, int... Axes>
constexpr auto roll(X const& x, std::tuple<S...> const& shifts, axis_t<Axes...>) {
  constexpr bool valid = detail::has_all_axes<X, detail::int_values<Axes...>>, fits = sizeof...(S) == sizeof...(Axes) && sizeof...(S) > 0;
  static_assert(valid, "exprax: roll: an axis is out of range");
  static_assert(fits, "exprax: roll: give as many shifts as axes");
  if constexpr (valid && fits)
    return std::apply([&](auto const&... s) { return detail::apply<detail::roll_along_op<Axes...>>(x, s...); }, shifts);
  else return x;  // after the error: nothing that leads to others
}

// rot90<K>(x, axis<a, b>): K quarter turns, 1 by default, from the first axis to the second, 0 and 1 by default (jax.numpy.rot90). [n, m]
// -> [m, n] for odd K. Refused: axes that are equal or out of range.
template <int K = 1, array_like X, int A = 0, int B = 1>
constexpr auto rot90(X const& x, axis_t<A, B> = {}) {
  static_assert(detail::normal_axes<A, B>(detail::rank_in<X>).valid,
                "exprax: rot90: requires at least two dimensions, and two different axes");
  return detail::apply<detail::rot90_op<K, A, B>>(x);
}
// flipud(x): the rows in reverse order; fliplr(x): the columns (jax.numpy.flipud, jax.numpy.fliplr). The shape of x; an array without that
// axis is refused.
inline constexpr struct flipud_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return flip(x, axis<0>);
  }
} flipud{};
inline constexpr struct fliplr_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return flip(x, axis<1>);
  }
} fliplr{};
// rollaxis<k, Start>(x): axis k comes to stand before axis Start, 0 by default (jax.numpy.rollaxis). Axes out of range are refused.
template <int Axis, int Start = 0, array_like X>
constexpr auto rollaxis(X const& x) {
  static_assert(detail::can_roll_axis<X, Axis, Start>, "exprax: rollaxis: the axis or the start is out of range");
  constexpr int from = detail::normal_axis(Axis, detail::rank_in<X>), before = detail::normal_axis(Start, detail::rank_in<X>);
  return moveaxis<from, (from < before ? before - 1 : before)>(x);
}
// tile<2, 3>(x): that many copies along the last axes, one after the other (jax.numpy.tile): [n, m] -> [2 n, 3 m]. More counts than axes
// make new leading axes. Negative counts are refused.
template <int... Counts, array_like X>
constexpr auto tile(X const& x) {
  static_assert(((Counts >= 0) && ...), "exprax: tile: counts must not be negative");
  if constexpr (((Counts >= 0) && ...)) return detail::apply<detail::tile_op<Counts...>>(x);
  else return x;  // after the error: nothing that leads to others
}
// resize<2, 3>(x): the elements, again and again, in the shape [2, 3] (jax.numpy.resize); zeros where x has none. Negative sizes are
// refused.
template <int... Sizes, array_like X>
constexpr auto resize(X const& x) {
  static_assert(((Sizes >= 0) && ...), "exprax: resize: all sizes must be non-negative");
  if constexpr (((Sizes >= 0) && ...)) return detail::apply<detail::resize_op<Sizes...>>(x);
  else return x;  // after the error: nothing that leads to others
}

}  // namespace exprax
