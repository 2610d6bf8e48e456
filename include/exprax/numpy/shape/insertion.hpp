// SPDX-License-Identifier: BSL-1.0
// Elements put into arrays and taken out of them (jax.numpy): insert, delete_.
#pragma once

#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/shape/rolling.hpp>

namespace exprax {

namespace detail {

// Without some elements of an axis.
template <class X, int Axis, int... Index>
struct deletion {
  static constexpr int axis = normal_axis(Axis, rank_in<X>), size = aval_in<X>.dims[axis];
  static constexpr bool goes(int i) { return ((i == normal_axis(Index, size)) || ...); }
  static constexpr aval value = [] {
    aval s = aval_in<X>;
    for (int i = 0; i < size; ++i) s.dims[axis] -= goes(i);
    return s;
  }();
};
template <int Axis, int... Index>
struct delete_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using to = deletion<X, Axis, Index...>;
    auto const traced = as_traced(x);
    handle const whole = untyped::from(traced);
    arena<handle> parts;
    for (int i = 0; i < to::size;) {
      int end = i;
      while (end < to::size && !to::goes(end)) ++end;
      if (end > i) parts.push(untyped::slice(whole, to::axis, i, end));
      i = end + 1;
    }
    if (parts.empty()) parts.push(untyped::slice(whole, to::axis, 0, 0));
    return untyped::typed<to>(untyped::concatenate(parts, to::axis));
  }
};
template <int Axis, class X>
inline constexpr bool deletes = normal_axes<Axis>(rank_in<X>).valid;
template <class X, int Axis, int... Index>
inline constexpr bool has_elements = ((normal_axis(Index, aval_in<X>.dims[normal_axis(Axis, rank_in<X>)]) >= 0 &&
                                       normal_axis(Index, aval_in<X>.dims[normal_axis(Axis, rank_in<X>)]) <
                                           aval_in<X>.dims[normal_axis(Axis, rank_in<X>)]) &&
                                      ...);

// Values before an element of an axis; there are as many as values has along it.
template <class X, class V, int Index, int Axis>
struct insertion {
  static constexpr int axis = normal_axis(Axis, rank_in<X>), size = aval_in<X>.dims[axis];
  static constexpr int before = Index < 0 ? (Index + size < 0 ? 0 : Index + size) : (Index > size ? size : Index);
  // Values of lower rank have leading axes of 1; the first axis of the values is the one that goes in, as in NumPy.
  static constexpr aval given = at_rank<rank_in<X>, V>::value;
  static constexpr int count = given.dims[0];
  static constexpr aval part = [] {
    aval s = aval_in<X>;
    s.dims[axis] = count;
    return s;
  }();
  static constexpr aval moved = given.without_axis(0).with_axis(axis, count);
  static constexpr bool fits = [] {
    broadcast_result const r = broadcast(moved, part);
    return rank_in<V> <= rank_in<X> && r.fits && r.shape.same_shape(part);
  }();
  static constexpr aval value = [] {
    aval s = aval_in<X>;
    s.dims[axis] += count;
    return s;
  }();
};
template <int Index, int Axis>
struct insert_op {
  template <operand X, operand V>
  constexpr auto operator()(X const& x, V const& values) const {
    using to = insertion<X, V, Index, Axis>;
    static_assert(to::fits, "exprax: insert: the values do not broadcast to the rows that go in");
    auto const traced = as_traced(x);
    auto const v = as_expr<type_in<X>>(values);
    handle const whole = untyped::from(traced);
    arena<int> permutation;
    for (int i = 1; i < rank_in<X>; ++i) {
      if (i - 1 == to::axis) permutation.push(0);
      permutation.push(i);
    }
    if (to::axis == rank_in<X> - 1) permutation.push(0);
    handle const moved = untyped::transpose(untyped::broadcast_to(untyped::from(v), to::given), permutation);
    param_list dims;
    for (int i = 0; i < rank_in<X>; ++i) dims.push(i);
    arena<handle> parts;
    parts.push(untyped::slice(whole, to::axis, 0, to::before));
    parts.push(untyped::broadcast_in_dim(moved, to::part, dims));
    parts.push(untyped::slice(whole, to::axis, to::before, to::size));
    return untyped::typed<to>(untyped::concatenate(parts, to::axis));
  }
};

// Several places: the k-th element of the values goes before the k-th of them.
template <class X, class V, int Axis, int... At>
struct insertions {
  static constexpr int axis = normal_axis(Axis, rank_in<X>), size = aval_in<X>.dims[axis], count = static_cast<int>(sizeof...(At));
  static constexpr aval part = [] {
    aval s = aval_in<X>;
    s.dims[axis] = count;
    return s;
  }();
  static constexpr bool fits = [] {
    broadcast_result const r = broadcast(aval_in<V>, part);
    return rank_in<V> <= rank_in<X> && r.fits && r.shape.same_shape(part);
  }();
  static constexpr aval value = [] {
    aval s = aval_in<X>;
    s.dims[axis] += count;
    return s;
  }();
};
template <int Axis, int... At>
struct insert_several_op {
  template <operand X, operand V>
  constexpr auto operator()(X const& x, V const& values) const {
    using to = insertions<X, V, Axis, At...>;
    auto const traced = as_traced(x);
    auto const v = as_expr<type_in<X>>(values);
    handle const whole = untyped::from(traced), given = untyped::broadcast_to(untyped::from(v), to::part);
    arena<handle> parts;
    int const at[] = {At...};
    int done = 0;
    for (int place = 0; place <= to::size; ++place)
      for (int k = 0; k < to::count; ++k) {
        int const from_front = at[k] < 0 ? at[k] + to::size : at[k];
        int const before = from_front < 0 ? 0 : from_front > to::size ? to::size : from_front;
        if (before != place) continue;
        if (done < place) parts.push(untyped::slice(whole, to::axis, done, place));
        parts.push(untyped::slice(given, to::axis, k, k + 1));
        done = place;
      }
    if (done < to::size) parts.push(untyped::slice(whole, to::axis, done, to::size));
    return untyped::typed<to>(untyped::concatenate(parts, to::axis));
  }
};

}  // namespace detail

// delete_<i, j>(x, axis<k>): without these elements, the axis as much smaller; without an axis, of the flat array (jax.numpy.delete).
// Refused: an axis or an index out of range.
template <int... Index, array_like X, int Axis>
constexpr auto delete_(X const& x, axis_t<Axis>) {
  static_assert(detail::deletes<Axis, X>, "exprax: delete_: the axis is out of range");
  static_assert(detail::has_elements<X, Axis, Index...>, "exprax: delete_: an index is out of range");
  if constexpr (detail::deletes<Axis, X> && detail::has_elements<X, Axis, Index...>)
    return detail::apply<detail::delete_op<Axis, Index...>>(x);
  else return x;  // after the error: nothing that leads to others
}
template <int... Index, array_like X>
constexpr auto delete_(X const& x) {
  return delete_<Index...>(ravel(x), axis<0>);
}
// insert<i>(x, values, axis<k>): values before element i, as many as the first axis of the values has, a scalar being one
// (jax.numpy.insert). The dtype of x; without an axis, of the flat array. Refused: an axis out of range, values that do not broadcast to
// the rows that go in.
template <int Index, array_like X, array_like V, int Axis>
constexpr auto insert(X const& x, V const& values, axis_t<Axis>) {
  static_assert(detail::deletes<Axis, X>, "exprax: insert: the axis is out of range");
  if constexpr (detail::deletes<Axis, X>) return detail::apply<detail::insert_op<Index, Axis>>(x, values);
  else return x;  // after the error: nothing that leads to others
}
template <int Index, array_like X, array_like V>
constexpr auto insert(X const& x, V const& values) {
  return insert<Index>(ravel(x), values, axis<0>);
}

// insert<1, 3>(x, values, axis<k>): a value, or one of them for each place (jax.numpy.insert with a list of places). Dtype, axis and errors
// as above.
template <int First, int Second, int... More, array_like X, array_like V, int Axis>
constexpr auto insert(X const& x, V const& values, axis_t<Axis>) {
  constexpr bool along = detail::normal_axes<Axis>(detail::rank_in<X>).valid;
  static_assert(along, "exprax: insert: the axis is out of range");
  if constexpr (along) {
    constexpr bool fits = detail::insertions<X, V, Axis, First, Second, More...>::fits;
    static_assert(fits, "exprax: insert: the values do not broadcast to the rows that go in");
    if constexpr (fits) return detail::apply<detail::insert_several_op<Axis, First, Second, More...>>(x, values);
    else return x;  // after the error: nothing that leads to others
  } else {
    return x;
  }
}
template <int First, int Second, int... More, array_like X, array_like V>
constexpr auto insert(X const& x, V const& values) {
  return insert<First, Second, More...>(ravel(x), values, axis<0>);
}

}  // namespace exprax
