// SPDX-License-Identifier: BSL-1.0
// More ways to join arrays (jax.numpy): atleast_1d/2d/3d, broadcast_arrays, column_stack, dstack, block, insert, delete_.
#pragma once

#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/shape/rolling.hpp>

namespace exprax {

namespace detail {

template <operand X>
constexpr auto at_least_3d(X const& x) {
  if constexpr (rank_in<X> == 0) return expanded<0, 1, 2>(as_traced(x));
  else if constexpr (rank_in<X> == 1) return expanded<0, 2>(as_traced(x));
  else if constexpr (rank_in<X> == 2) return expanded<2>(as_traced(x));
  else return expr_type<X>(as_traced(x));
}
template <int Rank>
struct atleast_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Rank == 1) return at_least_1d(x);
    else if constexpr (Rank == 2) return at_least_2d(x);
    else return at_least_3d(x);
  }
};
struct broadcast_arrays_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    using shape = common_shape<X...>;
    return std::tuple{expr_from<shaped_as<shape, X>>(broadcast_shape<shape>(as_traced(x)))...};
  }
};
// Vectors become columns.
template <operand X>
constexpr auto as_columns(X const& x) {
  if constexpr (rank_in<X> < 2) return expanded<1>(at_least_1d(x));
  else return expr_type<X>(as_traced(x));
}
template <class... X>
inline constexpr bool stacks_as_columns = joins<1, decltype(as_columns(std::declval<to_expr_t<X>>()))...>;
template <class... X>
inline constexpr bool stacks_in_depth = joins<2, decltype(at_least_3d(std::declval<to_expr_t<X>>()))...>;

struct column_stack_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    auto const parts = std::tuple{as_columns(x)...};
    return std::apply([](auto const&... p) { return joined<1>(p...); }, parts);
  }
};
struct dstack_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    auto const parts = std::tuple{at_least_3d(x)...};
    return std::apply([](auto const&... p) { return joined<2>(p...); }, parts);
  }
};

// A nest of tuples: the innermost ones are joined along the last axis, those around them along the one before, ...
template <class B>
inline constexpr int block_depth = 0;
template <class First, class... Rest>
inline constexpr int block_depth<std::tuple<First, Rest...>> = 1 + block_depth<std::remove_cvref_t<First>>;
template <class B>
inline constexpr int block_rank = rank_in<B>;
template <class... X>
inline constexpr int block_rank<std::tuple<X...>> = [] {
  int most = 0;
  ((most = block_rank<std::remove_cvref_t<X>> > most ? block_rank<std::remove_cvref_t<X>> : most), ...);
  return most;
}();
template <int Rank, operand X>
constexpr auto block_of(X const& x) {
  return expr_from<at_rank<Rank, expr_type<X>>>(to_rank<Rank>(as_traced(x)));
}
template <int Rank, class... X>
constexpr auto block_of(std::tuple<X...> const& nest) {
  return std::apply(
      [](auto const&... part) {
        auto const parts = std::tuple{block_of<Rank>(part)...};
        return std::apply([](auto const&... p) { return joined<Rank - block_depth<std::tuple<X...>>>(p...); }, parts);
      },
      nest);
}
struct block_op {
  template <class Nest>
  constexpr auto operator()(Nest const& nest) const {
    constexpr int depth = block_depth<Nest>, rank = block_rank<Nest>;
    return block_of<(depth > rank ? depth : rank)>(nest);
  }
};
template <class X>
inline constexpr bool holds_arrays = stored<X>;
template <class... X>
inline constexpr bool holds_arrays<std::tuple<X...>> = (holds_arrays<std::remove_cvref_t<X>> || ...);

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
                                       normal_axis(Index, aval_in<X>.dims[normal_axis(Axis, rank_in<X>)]) < aval_in<X>.dims[normal_axis(Axis, rank_in<X>)]) &&
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

// Conditions of static_asserts: compilers print the types.
template <class... X>
inline constexpr bool are_columns = ((rank_in<X> <= 2) && ...);

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

// atleast_1d(x), atleast_2d(x), atleast_3d(x): with at least that many axes (jax.numpy). New axes of 1 go before the others; those of
// atleast_3d on both sides of a vector's, behind a matrix's: [n] -> [1, n, 1], [n, m] -> [n, m, 1].
template <array_like X>
constexpr auto atleast_1d(X const& x) {
  return detail::apply<detail::atleast_op<1>>(x);
}
template <array_like X>
constexpr auto atleast_2d(X const& x) {
  return detail::apply<detail::atleast_op<2>>(x);
}
template <array_like X>
constexpr auto atleast_3d(X const& x) {
  return detail::apply<detail::atleast_op<3>>(x);
}
// A tuple of the arrays in the shape in which they meet, each in its dtype (jax.numpy.broadcast_arrays). Shapes that do not broadcast are
// refused.
template <array_like... X>
constexpr auto broadcast_arrays(X const&... x) {
  EXPRAX_BROADCASTS("broadcast_arrays", X...);
  return detail::apply<detail::broadcast_arrays_op>(x...);
}
// column_stack(x, y, ...), column_stack(tuple(x, y)): joined along axis 1, vectors as columns (jax.numpy.column_stack). Dtypes are
// promoted; arrays of more than two axes are refused.
template <array_like... X>
constexpr auto column_stack(X const&... x) {
  static_assert(detail::are_columns<X...>, "exprax: column_stack: only vectors and matrices are columns");
  if constexpr (detail::are_columns<X...>) {
    static_assert(detail::stacks_as_columns<X...>, "exprax: column_stack: the columns must have one length");
    if constexpr (detail::stacks_as_columns<X...>) return detail::apply<detail::column_stack_op>(x...);
    else return 0;  // after the error: nothing that leads to others
  } else {
    return 0;
  }
}
template <array_like... X>
constexpr auto column_stack(std::tuple<X...> const& x) {
  return std::apply([](auto const&... p) { return column_stack(p...); }, x);
}
// dstack(x, y, ...), dstack(tuple(x, y)): joined along the third axis, after atleast_3d (jax.numpy.dstack). Dtypes are promoted. Refused: shapes that differ along
// another axis.
template <array_like... X>
constexpr auto dstack(X const&... x) {
  static_assert(detail::stacks_in_depth<X...>, "exprax: dstack: the shapes must be equal but for the third axis");
  if constexpr (detail::stacks_in_depth<X...>) return detail::apply<detail::dstack_op>(x...);
  else return 0;  // after the error: nothing that leads to others
}
template <array_like... X>
constexpr auto dstack(std::tuple<X...> const& x) {
  return std::apply([](auto const&... p) { return dstack(p...); }, x);
}
// block(tuple(tuple(a, b), tuple(c, d))): a matrix of matrices (jax.numpy.block). The innermost tuples are joined along the last axis,
// those around them along the one before. Dtypes are promoted.
template <class... X>
constexpr auto block(std::tuple<X...> const& nest) {
  if constexpr (detail::holds_arrays<std::tuple<X...>>) return jit(detail::block_op{})(nest);
  else return detail::block_op{}(nest);
}
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
