// SPDX-License-Identifier: BSL-1.0
// Elements along one axis (jax.numpy): take(x, indices, axis<k>) with the same indices for every row, take_along_axis and
// put_along_axis with indices for each row. Without an axis the array is flattened. Options: mode_fill (the default of take and
// take_along_axis: NaN, the least integer, ... or fill_value(v)), mode_clip, mode_wrap, mode_promise_in_bounds; of put_along_axis
// those of x.at.
// Longer than 300 lines: the three functions share their modes and how a fill value is given.
#pragma once

#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/indexing/at.hpp>

namespace exprax {

namespace detail {

// take: an index vector has one component, along Axis.
template <class X, class I, int Axis>
struct take_plan {
  static constexpr gather_dimension_numbers numbers = [] {
    gather_dimension_numbers n;
    for (int i = 0; i < rank_in<X>; ++i)
      if (i != Axis) n.offset_dims.push(i < Axis ? i : i - 1 + rank_in<I>);
    n.collapsed_slice_dims.push(Axis);
    n.start_index_map.push(Axis);
    return n;
  }();
  static constexpr dimension_list sizes = [] {
    dimension_list l;
    for (int i = 0; i < rank_in<X>; ++i) l.push(i == Axis ? 1 : aval_in<X>.dims[i]);
    return l;
  }();
  static constexpr aval value = [] {
    aval a(aval_in<X>.type, aval_in<X>.weak);
    for (int i = 0; i < rank_in<X>; ++i) {
      if (i == Axis)
        for (int k = 0; k < rank_in<I>; ++k) a.dims[a.rank++] = aval_in<I>.dims[k];
      else a.dims[a.rank++] = aval_in<X>.dims[i];
    }
    return a;
  }();
};

constexpr index_mode take_mode(mode_word w) { return w == mode_word::automatic ? index_mode::fill_or_drop : primitive_mode(w, true); }

// An array of indices in the range of an axis of n.
template <mode_word Mode, bool Wrap, int N, tracer I>
constexpr auto taken_indices(I const& i) {
  if constexpr (Mode == mode_word::wrap) return remainder(i, N > 0 ? N : 1);
  else if constexpr ((Mode == mode_word::automatic || Mode == mode_word::fill || Mode == mode_word::drop) && Wrap &&
                     !is_unsigned_integer(I::type.type))
    return where(less(i, 0), add(i, N), i);
  else return i;
}

// Inside of jit[name=_take]. fill: a tuple of one number, or an empty one; more: the fill value if it is traced.
template <class Options, class Fill>
struct take_body {
  Fill fill;
  template <tracer X, tracer I, tracer... More>
  constexpr auto operator()(X const& x, I const& given, More const&... more) const {
    if constexpr (!Options::has_axis) return along<0>(reshaped<-1>(x), given, more...);
    else return along<normal_axis(Options::axis, X::rank)>(x, given, more...);
  }

 private:
  template <int Axis, class X, class I, class... More>
  constexpr auto along(X const& x, I const& given, More const&... more) const {
    using plan = take_plan<X, I, Axis>;
    using out = with_dtype_t<expr_from<plan>, typename X::dtype_type>;
    if constexpr (out::size() == 0) {
      return constant_like<out>(x, typename X::value_type{});
    } else {
      auto const indices = as_int32_indices(taken_indices<Options::mode, Options::wrap, X::type.dims[Axis]>(given));
      aval shape = aval(I::type).with_type(dtype::i32);
      int places[max_rank] = {};
      for (int i = 0; i < shape.rank; ++i) places[i] = i;
      shape.dims[shape.rank++] = 1;
      handle const vectors = untyped::broadcast_in_dim(expr_access::get(indices), shape, {places, shape.rank - 1});
      return record_gather<out>(expr_access::get(x), vectors, plan::numbers, plan::sizes, take_mode(Options::mode), Options::sorted,
                                Options::unique, std::tuple_cat(fill, std::tuple(more...)));
    }
  }
};
template <class Options>
struct take_op {
  template <operand X, operand I, operand... Fill>
  constexpr auto operator()(X const& x, I const& indices, Fill const&... fill) const {
    if constexpr ((tracer<Fill> || ...))
      return record_jit("_take", take_body<Options, std::tuple<>>{}, as_traced(x), as_traced(indices), fill...);
    else
      return record_jit("_take", take_body<Options, std::tuple<Fill...>>{std::tuple<Fill...>(fill...)}, as_traced(x), as_traced(indices));
  }
};

// take_along_axis: axes of the indices other than Axis run along those of x, or select all of an axis where they are 1.
template <class X, class I, int Axis>
struct along_plan {
  static constexpr bool fits = [] {
    if (rank_in<X> != rank_in<I>) return false;
    for (int i = 0; i < rank_in<X>; ++i)
      if (i != Axis && aval_in<X>.dims[i] != aval_in<I>.dims[i] && aval_in<X>.dims[i] != 1 && aval_in<I>.dims[i] != 1) return false;
    return true;
  }();
  struct squeezed_axes_of_x {
    static constexpr axis_set value = [] {
      axis_set s;
      for (int i = 0; i < rank_in<X>; ++i)
        if (i != Axis && aval_in<X>.dims[i] == 1 && aval_in<I>.dims[i] != 1) s.of[s.n++] = i;
      return s;
    }();
  };
  gather_dimension_numbers numbers;
  dimension_list sizes;
  aval vectors = aval(dtype::i32), result = aval(aval_in<X>.type, aval_in<X>.weak);
  constexpr along_plan() {
    int at = 0;  // the axis in x without those squeezed
    for (int i = 0; i < rank_in<X>; ++i) {
      int const n = aval_in<X>.dims[i], m = aval_in<I>.dims[i];
      result.dims[result.rank++] = i == Axis ? m : n == 1 ? m : n;
      if (i == Axis) {
        vectors.dims[vectors.rank++] = m;
        sizes.push(1);
        numbers.start_index_map.push(at);
        numbers.collapsed_slice_dims.push(at++);
      } else if (m == 1) {
        numbers.offset_dims.push(i);
        sizes.push(n);
        ++at;
      } else if (n == 1) {
        vectors.dims[vectors.rank++] = m;
      } else {
        numbers.start_indices_batching_dims.push(vectors.rank);
        vectors.dims[vectors.rank++] = m;
        sizes.push(n == 0 ? 0 : 1);
        numbers.operand_batching_dims.push(at++);
      }
    }
    vectors.dims[vectors.rank++] = 1;
  }
};
template <class X, class I, int Axis>
struct along_result {
  static constexpr along_plan<X, I, Axis> plan{};
  static constexpr aval value = plan.result;
};
template <class Options, class Fill>
struct take_along_axis_body {
  Fill fill;
  template <tracer X, tracer I, tracer... More>
  constexpr auto operator()(X const& x, I const& given, More const&... more) const {
    if constexpr (!Options::has_axis) return along<0>(reshaped<-1>(x), given, more...);
    else return along<normal_axis(Options::axis, X::rank)>(x, given, more...);
  }

 private:
  template <int Axis, class X, class I, class... More>
  constexpr auto along(X const& x, I const& given, More const&... more) const {
    using shape = along_result<X, I, Axis>;
    using out = with_dtype_t<expr_from<shape>, typename X::dtype_type>;
    if constexpr (out::size() == 0 || X::type.dims[Axis] == 0) {
      return constant_like<out>(x, typename X::value_type{});
    } else {
      constexpr int n = X::type.dims[Axis];
      constexpr bool wrap = Options::wrap && Options::mode != mode_word::promise_in_bounds;
      handle const i = index_in_axis(expr_access::get(as_int32_indices(given)), n, wrap, Options::mode == mode_word::wrap);
      handle const vectors = untyped::reshape(i, {shape::plan.vectors.dims, shape::plan.vectors.rank});
      auto const from = squeezed<typename along_plan<X, I, Axis>::squeezed_axes_of_x>(x);
      return record_gather<out>(expr_access::get(from), vectors, shape::plan.numbers, shape::plan.sizes, take_mode(Options::mode),
                                Options::sorted, Options::unique, std::tuple_cat(fill, std::tuple(more...)));
    }
  }
};
template <class Options>
struct take_along_axis_op {
  template <operand X, operand I, operand... Fill>
  constexpr auto operator()(X const& x, I const& indices, Fill const&... fill) const {
    if constexpr ((tracer<Fill> || ...))
      return record_jit("take_along_axis", take_along_axis_body<Options, std::tuple<>>{}, as_traced(x), as_traced(indices), fill...);
    else
      return record_jit("take_along_axis", take_along_axis_body<Options, std::tuple<Fill...>>{std::tuple<Fill...>(fill...)}, as_traced(x),
                        as_traced(indices));
  }
};

// 0, 1, 2, ... along each axis of x, of rank as x, and the indices along Axis.
template <int Axis, int K, tracer X, tracer I>
constexpr auto sparse_index(X const& x, I const& indices) {
  if constexpr (K == Axis) {
    return indices;
  } else {
    auto const row = broadcasted_iota_near<std::int32_t, 0, X::type.dims[K]>(x);
    return [&]<int... A>(std::integer_sequence<int, A...>) {
      return reshaped<(A == K ? X::type.dims[K] : 1)...>(row);
    }(std::make_integer_sequence<int, X::rank>{});
  }
}
template <class... Options>
struct put_along_axis_body {
  template <tracer X, tracer I, tracer V>
  constexpr auto operator()(X const& x, I const& indices, V const& values) const {
    using o = index_options<Options...>;
    auto const v = broadcast_shape<shape_in<I>>(values);
    if constexpr (!o::has_axis) {
      auto const flat = reshaped<-1>(x).at(indices).template update<prim::scatter, o>(v);
      return with_shape<X>(flat, std::make_integer_sequence<int, X::rank>{});
    } else {
      constexpr int axis = normal_axis(o::axis, X::rank);
      return [&]<int... K>(std::integer_sequence<int, K...>) {
        return x.at(sparse_index<axis, K>(x, indices)...).template update<prim::scatter, o>(v);
      }(std::make_integer_sequence<int, X::rank>{});
    }
  }

 private:
  template <class X, class Flat, int... K>
  static constexpr X with_shape(Flat const& flat, std::integer_sequence<int, K...>) {
    return reshaped<X::type.dims[K]...>(flat);
  }
};
template <class... Options>
struct put_along_axis_op {
  template <operand X, operand I, operand V>
  constexpr auto operator()(X const& x, I const& indices, V const& values) const {
    return record_jit("put_along_axis", put_along_axis_body<Options...>{}, as_traced(x), as_traced(indices), as_traced(values));
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, class Options>
inline constexpr bool has_taken_axis = !Options::has_axis || normal_axes<Options::axis>(rank_in<X>).valid;
template <class X, class I, class Options>
inline constexpr bool takes_along = [] {
  if constexpr (!has_taken_axis<X, Options>) return false;
  else if constexpr (!Options::has_axis) return rank_in<I> == 1;
  else return along_plan<X, I, normal_axis(Options::axis, rank_in<X>)>::fits;
}();
template <class X, class I, class Options>
inline constexpr bool takes_from_something =
    !has_taken_axis<X, Options> || aval_in<I>.size() == 0 ||
    (Options::has_axis ? aval_in<X>.dims[Options::has_axis ? normal_axis(Options::axis, rank_in<X>) : 0] > 0 : aval_in<X>.size() > 0);

}  // namespace detail

// The elements of x at `indices` along axis<k>, or of the flattened x: [a, n, b] with indices [i, j] along the middle axis -> [a, i, j,
// b], dtype of x. Negative indices count from the end; out of range: the mode. Refused: indices that are not integers, an axis out of
// range, an empty axis (jax.numpy.take).
inline constexpr struct take_function {
  template <array_like X, array_like I, class... Options>
  constexpr auto operator()(X const& x, I const& indices, Options const&... options) const {
    EXPRAX_TAKES("take", "axis<k>, mode_..., fill_value(v), indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...) {
      using o = detail::index_options<Options...>;
      static_assert(detail::are_of_integers<I>, "exprax: take: the indices must be integers");
      static_assert(detail::has_taken_axis<X, o>, "exprax: take: the axis is out of range for the array");
      static_assert(detail::takes_from_something<X, I, o>, "exprax: take: Cannot do a non-empty take() from an empty axis");
      if constexpr (detail::are_of_integers<I> && detail::has_taken_axis<X, o> && detail::takes_from_something<X, I, o>)
        return std::apply([&](auto const&... fill) { return detail::apply<detail::take_op<o>>(x, indices, fill...); },
                          detail::fill_values(options...));
      else return x;  // after the error: nothing that leads to others
    } else {
      return x;
    }
  }
} take{};
// Element k along the axis of the result is x's element indices[k], for each row by itself. The axis has the size of the indices there;
// the other axes broadcast; dtype of x. Refused: indices that are not integers, of another rank, or of sizes that do not broadcast
// (jax.numpy.take_along_axis).
inline constexpr struct take_along_axis_function {
  template <array_like X, array_like I, class... Options>
  constexpr auto operator()(X const& x, I const& indices, Options const&... options) const {
    EXPRAX_TAKES("take_along_axis", "axis<k>, mode_..., fill_value(v), indices_are_sorted, unique_indices, wrap_negative_indices<b>",
                 Options...) {
      using o = detail::index_options<Options...>;
      static_assert(detail::are_of_integers<I>, "exprax: take_along_axis: the indices must be integers");
      static_assert(
          detail::takes_along<X, I, o>,
          "exprax: take_along_axis: the indices must have as many axes as the array, of the same sizes or 1 but for the axis (one "
          "axis if none is given)");
      if constexpr (detail::are_of_integers<I> && detail::takes_along<X, I, o>)
        return std::apply([&](auto const&... fill) { return detail::apply<detail::take_along_axis_op<o>>(x, indices, fill...); },
                          detail::fill_values(options...));
      else return x;  // after the error: nothing that leads to others
    }
    else {
      return x;
    }
  }
} take_along_axis{};
// x with values at the places that take_along_axis reads; values broadcast to the indices. Shape and dtype are those of x. Refused as in
// take_along_axis, and values that do not broadcast (jax.numpy.put_along_axis with inplace=False).
inline constexpr struct put_along_axis_function {
  template <array_like X, array_like I, array_like V, class... Options>
  constexpr auto operator()(X const& x, I const& indices, V const& values, Options const&...) const {
    EXPRAX_TAKES("put_along_axis", "axis<k>, mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...) {
      using o = detail::index_options<Options...>;
      static_assert(detail::are_of_integers<I>, "exprax: put_along_axis: the indices must be integers");
      static_assert(detail::takes_along<X, I, o>,
                    "exprax: put_along_axis: the indices must have as many axes as the array, of the same sizes or 1 but for the axis (one "
                    "axis if none is given)");
      static_assert(detail::broadcasts_to<V, detail::shape_in<I>>, "exprax: put_along_axis: the values must broadcast to the indices");
      if constexpr (detail::are_of_integers<I> && detail::takes_along<X, I, o> && detail::broadcasts_to<V, detail::shape_in<I>>)
        return detail::apply<detail::put_along_axis_op<Options...>>(x, indices, values);
      else return x;  // after the error: nothing that leads to others
    } else {
      return x;
    }
  }
} put_along_axis{};

}  // namespace exprax
