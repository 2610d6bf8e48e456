// SPDX-License-Identifier: BSL-1.0
// Parts along one axis (jax.lax): slice_in_dim<start, limit, stride>(x, axis<k>), index_in_dim(x, i, axis<k>), and those at a traced
// position: dynamic_slice_in_dim<size>, dynamic_index_in_dim, dynamic_update_slice_in_dim, dynamic_update_index_in_dim; index_take.
// The axis is 0 if none is given. A part at a traced position is moved inside.
#pragma once

#include <exprax/numpy/indexing/dynamic.hpp>
#include <exprax/numpy/indexing/gather_indices.hpp>
#include <exprax/numpy/shape/joining.hpp>

namespace exprax {

namespace detail {

// f(x, start of axis 0, ...) of dynamic_slice and the like, with 0 for all axes but Axis.
template <int Axis, int K, class I>
constexpr auto start_along(I const& i) {
  if constexpr (K == Axis) return i;
  else return 0;
}
template <int Size, int Axis>
struct dynamic_slice_in_dim_op {
  template <operand X, operand I>
  constexpr auto operator()(X const& x, I const& start) const {
    auto const array = as_traced(x);
    constexpr int axis = normal_axis(Axis, rank_in<X>);
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      return dynamic_slice_op<(K == axis ? Size : aval_in<X>.dims[K])...>{}(array, start_along<axis, K>(start)...);
    }(std::make_integer_sequence<int, rank_in<X>>{});
  }
};
template <int Axis, bool KeepDims>
struct dynamic_index_in_dim_op {
  template <operand X, operand I>
  constexpr auto operator()(X const& x, I const& index) const {
    auto const part = dynamic_slice_in_dim_op<1, Axis>{}(x, index);
    if constexpr (KeepDims) return part;
    else return squeezed<squeezed_axes<std::remove_const_t<decltype(part)>, normal_axis(Axis, rank_in<X>)>>(part);
  }
};
template <int Axis>
struct dynamic_update_slice_in_dim_op {
  template <operand X, operand U, operand I>
  constexpr auto operator()(X const& x, U const& update, I const& start) const {
    auto const array = as_traced(x);
    constexpr int axis = normal_axis(Axis, rank_in<X>);
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      return dynamic_update_slice_op{}(array, update, start_along<axis, K>(start)...);
    }(std::make_integer_sequence<int, rank_in<X>>{});
  }
};
// An update of lower rank gets the axis.
template <int Axis>
struct dynamic_update_index_in_dim_op {
  template <operand X, operand U, operand I>
  constexpr auto operator()(X const& x, U const& update, I const& index) const {
    if constexpr (rank_in<U> == rank_in<X>) return dynamic_update_slice_in_dim_op<Axis>{}(x, update, index);
    else return dynamic_update_slice_in_dim_op<Axis>{}(x, expanded<normal_axis(Axis, rank_in<X>)>(as_traced(update)), index);
  }
};

template <class X, int Axis, int Start, int Limit, int Stride>
struct sliced_in_dim {
  static constexpr int axis = normal_axis(Axis, rank_in<X>);
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    a.dims[axis] = Limit > Start ? (Limit - Start - 1) / Stride + 1 : 0;
    return a;
  }();
};
template <int Axis, auto Start, auto Limit, int Stride>
struct slice_in_dim_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    constexpr int n = aval_in<X>.dims[normal_axis(Axis, rank_in<X>)];
    constexpr int start = bound<Start>(0, n), limit = bound<Limit>(n, n);
    using to = sliced_in_dim<X, Axis, start, limit, Stride>;
    static_assert(0 <= start && start <= limit && limit <= n && Stride > 0,
                  "exprax: slice_in_dim: the bounds must lie in the axis, start <= limit, and the stride be positive");
    return expr_access::make<expr_from<to>>(untyped::slice(expr_access::get(as_traced(x)), to::axis, start, limit, Stride));
  }

 private:
  template <auto V>
  static constexpr int bound(int otherwise, int n) {
    if constexpr (!std::integral<decltype(V)>) return otherwise;
    else return V < 0 ? static_cast<int>(V) + n : static_cast<int>(V);
  }
};
template <int Axis, bool KeepDims>
struct index_in_dim_op {
  template <operand X, number I>
  constexpr auto operator()(X const& x, I const& index) const {
    constexpr int axis = normal_axis(Axis, rank_in<X>);
    using to = sliced_in_dim<X, axis, 0, 1, 1>;
    int const at = clamp_index(static_cast<int>(index), aval_in<X>.dims[axis]);
    auto const part = expr_access::make<expr_from<to>>(untyped::slice(expr_access::get(as_traced(x)), axis, at, at + 1));
    if constexpr (KeepDims) return part;
    else return squeezed<squeezed_axes<std::remove_const_t<decltype(part)>, axis>>(part);
  }
  template <operand X, tracer I>
  constexpr auto operator()(X const& x, I const& index) const {
    return dynamic_index_in_dim_op<Axis, KeepDims>{}(x, index);
  }
};

// jax.lax.index_take: row k of the result is x at (i[k], j[k], ...) of the axes, whose sizes the indices are taken modulo.
template <class X, int N, int... Axes>
struct index_take_plan {
  static constexpr axis_set axes = normal_axes<Axes...>(rank_in<X>);
  static constexpr gather_dimension_numbers numbers = [] {
    gather_dimension_numbers n;
    for (int i = 0, k = 1; i < rank_in<X>; ++i) {
      if (axes.has(i)) n.collapsed_slice_dims.push(i);
      else n.offset_dims.push(k++);
    }
    for (int i = 0; i < axes.n; ++i) n.start_index_map.push(axes.of[i]);
    return n;
  }();
  static constexpr dimension_list sizes = [] {
    dimension_list l;
    for (int i = 0; i < rank_in<X>; ++i) l.push(axes.has(i) ? 1 : aval_in<X>.dims[i]);
    return l;
  }();
  static constexpr aval value = [] {
    aval a(aval_in<X>.type, aval_in<X>.weak);
    a.dims[a.rank++] = N;
    for (int i = 0; i < rank_in<X>; ++i)
      if (!axes.has(i)) a.dims[a.rank++] = aval_in<X>.dims[i];
    return a;
  }();
};
template <int... Axes>
struct index_take_op {
  template <operand X, operand First, operand... Rest>
  constexpr auto operator()(X const& x, First const& first, Rest const&... rest) const {
    using plan = index_take_plan<X, aval_in<First>.dims[0], Axes...>;
    auto const array = as_traced(x);
    arena<handle> parts;
    int k = 0;
    auto const add = [&](auto const& i) {
      int const n = aval_in<X>.dims[plan::axes.of[k++]];
      aval column(dtype::i32, {aval_in<First>.dims[0], 1});
      int const place = 0;
      parts.push(
          untyped::broadcast_in_dim(index_in_axis(expr_access::get(as_int32_indices(as_traced(i))), n, true, true), column, {&place, 1}));
    };
    add(first);
    (add(rest), ...);
    int const last = 1;
    handle vectors = parts[0];
    if constexpr (sizeof...(Rest) > 0)
      vectors = equation(prim::concatenate, parts, {&last, 1}, aval(dtype::i32, {aval_in<First>.dims[0], parts.size()}));
    return record_gather<expr_from<plan>>(expr_access::get(array), vectors, plan::numbers, plan::sizes, index_mode::clip, false, false,
                                          std::tuple<>{});
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, int... Axes>
inline constexpr bool has_axis_in_dim = normal_axes<Axes...>(rank_in<X>).valid;
template <class I>
inline constexpr bool is_an_index_of_an_axis = rank_in<I> == 0 && is_integer(aval_in<I>.type);
template <class X, int Size, int Axis>
inline constexpr bool holds_a_part_of =
    has_axis_in_dim<X, Axis>&& Size >= 0 && Size <= aval_in<X>.dims[has_axis_in_dim<X, Axis> ? normal_axis(Axis, rank_in<X>) : 0];
template <class X, class U>
inline constexpr bool takes_update_of = rank_in<X> > 0 && (rank_in<U> == rank_in<X> || rank_in<U> + 1 == rank_in<X>);

}  // namespace detail

// Size elements along axis<k> (0 if none is given) from a traced start on: [..., n, ...] -> [..., Size, ...], dtype of x. The start is
// clamped so that the part fits. Refused: an axis out of range or smaller than Size, a start that is not an integer scalar
// (jax.lax.dynamic_slice_in_dim).
template <int Size, int Axis = 0, array_like X, array_like I>
constexpr auto dynamic_slice_in_dim(X const& x, I const& start, axis_t<Axis> = {}) {
  static_assert(detail::holds_a_part_of<X, Size, Axis>, "exprax: dynamic_slice_in_dim: the axis is out of range, or smaller than the size");
  static_assert(detail::is_an_index_of_an_axis<I>, "exprax: dynamic_slice_in_dim: the start must be an integer scalar");
  return detail::apply<detail::dynamic_slice_in_dim_op<Size, Axis>>(x, start);
}
// One element along axis<k> (0) at a traced index: [..., n, ...] -> [..., 1, ...], or without the axis if KeepDims is false; dtype of x.
// The index is clamped. Refused: an axis out of range or empty, an index that is not an integer scalar (jax.lax.dynamic_index_in_dim).
template <bool KeepDims = true, int Axis = 0, array_like X, array_like I>
constexpr auto dynamic_index_in_dim(X const& x, I const& index, axis_t<Axis> = {}) {
  static_assert(detail::holds_a_part_of<X, 1, Axis>, "exprax: dynamic_index_in_dim: the axis is out of range, or empty");
  static_assert(detail::is_an_index_of_an_axis<I>, "exprax: dynamic_index_in_dim: the index must be an integer scalar");
  return detail::apply<detail::dynamic_index_in_dim_op<Axis, KeepDims>>(x, index);
}
// x with `update` written along axis<k> (0) from a traced start on, at index 0 of the other axes. Shape and dtype are those of x. The
// start is clamped so that the update fits. Refused: an update of another rank, or larger along an axis
// (jax.lax.dynamic_update_slice_in_dim).
inline constexpr struct dynamic_update_slice_in_dim_function {
  template <int Axis = 0, array_like X, array_like U, array_like I>
  constexpr auto operator()(X const& x, U const& update, I const& start, axis_t<Axis> = {}) const {
    static_assert(detail::has_axis_in_dim<X, Axis>, "exprax: dynamic_update_slice_in_dim: the axis is out of range for the array");
    static_assert(detail::update_fits<X, U>,
                  "exprax: dynamic_update_slice_in_dim: the update must have the rank of the operand, and no larger axis");
    static_assert(detail::is_an_index_of_an_axis<I>, "exprax: dynamic_update_slice_in_dim: the start must be an integer scalar");
    return detail::apply<detail::dynamic_update_slice_in_dim_op<Axis>>(x, update, start);
  }
} dynamic_update_slice_in_dim{};
// x with one element along axis<k> (0) replaced; the update may lack this axis. Shape and dtype are those of x; the index is clamped.
// Refused: an update of another rank, an index that is not an integer scalar (jax.lax.dynamic_update_index_in_dim).
inline constexpr struct dynamic_update_index_in_dim_function {
  template <int Axis = 0, array_like X, array_like U, array_like I>
  constexpr auto operator()(X const& x, U const& update, I const& index, axis_t<Axis> = {}) const {
    static_assert(detail::has_axis_in_dim<X, Axis>, "exprax: dynamic_update_index_in_dim: the axis is out of range for the array");
    static_assert(detail::takes_update_of<X, U>,
                  "exprax: dynamic_update_index_in_dim: the update must have the axes of the operand, with or without this one");
    static_assert(detail::is_an_index_of_an_axis<I>, "exprax: dynamic_update_index_in_dim: the index must be an integer scalar");
    return detail::apply<detail::dynamic_update_index_in_dim_op<Axis>>(x, update, index);
  }
} dynamic_update_index_in_dim{};
// Elements start, start + stride, ... below limit along axis<k> (0): [..., n, ...] -> [..., ceil((limit - start) / stride), ...], dtype of
// x. A bound may be ex::none; a negative one counts from the end. Refused: bounds outside of the axis, a stride below 1
// (jax.lax.slice_in_dim).
template <auto Start, auto Limit, int Stride = 1, int Axis = 0, array_like X>
constexpr auto slice_in_dim(X const& x, axis_t<Axis> = {}) {
  static_assert(detail::has_axis_in_dim<X, Axis>, "exprax: slice_in_dim: the axis is out of range for the array");
  return detail::apply<detail::slice_in_dim_op<Axis, Start, Limit, Stride>>(x);
}
// One element along axis<k> (0): [..., n, ...] -> [..., 1, ...], or without the axis if KeepDims is false; dtype of x. With a C++ integer
// it is a static slice, with a traced index dynamic_index_in_dim; the index is clamped. Refused: an empty axis (jax.lax.index_in_dim).
template <bool KeepDims = true, int Axis = 0, array_like X, array_like I>
constexpr auto index_in_dim(X const& x, I const& index, axis_t<Axis> = {}) {
  static_assert(detail::holds_a_part_of<X, 1, Axis>, "exprax: index_in_dim: the axis is out of range, or empty");
  static_assert(detail::is_an_index_of_an_axis<I>, "exprax: index_in_dim: the index must be an integer");
  return detail::apply<detail::index_in_dim_op<Axis, KeepDims>>(x, index);
}
// Row k of the result is x at (i[k], j[k], ...) of the named axes: index_take(x, std::tuple(i, j), axis<0, 1>). Indices are vectors [m] of
// integers, taken modulo the sizes. Result: [m, other axes of x...], dtype of x. Refused: indices that are not one vector of integers for
// each axis (jax.lax.index_take).
inline constexpr struct index_take_function {
  template <array_like X, array_like... I, int... Axes>
  constexpr auto operator()(X const& x, std::tuple<I...> const& indices, axis_t<Axes...>) const {
    static_assert(sizeof...(I) > 0 && sizeof...(I) == sizeof...(Axes) && detail::has_axis_in_dim<X, Axes...>,
                  "exprax: index_take: give a vector of indices for each axis");
    static_assert(((detail::rank_in<I> == 1) && ...) && (is_integer(detail::aval_in<I>.type) && ...),
                  "exprax: index_take: the indices must be vectors of integers");
    return std::apply([&](auto const&... i) { return detail::apply<detail::index_take_op<Axes...>>(x, i...); }, indices);
  }
} index_take{};

namespace lax {

using exprax::dynamic_slice, exprax::dynamic_update_slice, exprax::dynamic_slice_in_dim, exprax::dynamic_index_in_dim,
    exprax::dynamic_update_slice_in_dim, exprax::dynamic_update_index_in_dim, exprax::slice_in_dim, exprax::index_in_dim,
    exprax::index_take;

}  // namespace lax

}  // namespace exprax
