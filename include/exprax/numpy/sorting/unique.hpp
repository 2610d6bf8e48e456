// SPDX-License-Identifier: BSL-1.0
// Each value once, for a number of results known in advance (jax.numpy): unique<size>, unique_values, unique_counts, unique_inverse,
// unique_all: the values in ascending order, cut off at `size`; where there are fewer the fill value follows, the least of them if none is
// given. NaNs count as one value.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/indexing/index_options.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/indexing/nonzero.hpp>
#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/reductions/argument_extrema.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace detail {

struct return_index_t {};
struct return_inverse_t {};
struct return_counts_t {};
struct return_indices_t {};
template <>
inline constexpr option_word word_of<return_index_t>{"return_index"};
template <>
inline constexpr option_word word_of<return_inverse_t>{"return_inverse"};
template <>
inline constexpr option_word word_of<return_counts_t>{"return_counts"};
template <>
inline constexpr option_word word_of<return_indices_t>{"return_indices"};
template <>
struct option_traits<return_index_t> : known_option {};
template <>
struct option_traits<return_inverse_t> : known_option {};
template <>
struct option_traits<return_counts_t> : known_option {};
template <>
struct option_traits<return_indices_t> : known_option {};
template <class Word, class... Options>
inline constexpr bool asks_for = (std::is_same_v<Word, Options> || ...);

// The sorted elements, the permutation, and which of them differ from the one before.
template <class Sorted, class Order, class Mask>
struct sorted_runs {
  Sorted values;
  Order order;
  Mask first;
};
// NaN is like NaN.
template <tracer X>
constexpr auto differs(X const& after, X const& before) {
  if constexpr (is_floating(X::type.type))
    return bitwise_and(not_equal(after, before), logical_not(bitwise_and(not_equal(after, after), not_equal(before, before))));
  else return not_equal(after, before);
}
template <tracer X>
constexpr auto runs_of(X const& flat) {
  constexpr int n = static_cast<int>(X::size());
  auto const order = argsort(flat);
  auto const values = index_read(flat, order);
  auto const yes = constant_like<expr<bool, n>>(flat, true);
  if constexpr (n == 1) {
    return sorted_runs<std::remove_const_t<decltype(values)>, std::remove_const_t<decltype(order)>, std::remove_const_t<decltype(yes)>>{
        values, order, yes};
  } else {
    auto const after = index_read(values, slice<1, n>);
    auto const before = index_read(values, slice<0, n - 1>);
    auto const first = make_at(yes, slice<1, n>).set(differs(after, before));
    return sorted_runs<std::remove_const_t<decltype(values)>, std::remove_const_t<decltype(order)>, std::remove_const_t<decltype(first)>>{
        values, order, first};
  }
}
// The same for the rows of an array: its elements along axis 0, in the order of their elements.
template <tracer X>
constexpr auto row_runs_of(X const& rows) {
  constexpr int n = X::extent(0), m = static_cast<int>(X::size()) / n;
  auto const table = reshaped<n, m>(rows);
  auto const order = [&]<int... K>(std::integer_sequence<int, K...>) {
    return lexsort(std::tuple(index_read(table, all, m - 1 - K)...));
  }(std::make_integer_sequence<int, m>{});
  auto const values = index_read(table, order);
  auto const yes = constant_like<expr<bool, n>>(rows, true);
  auto const first = [&] {
    if constexpr (n == 1) return yes;
    else return make_at(yes, slice<1, n>).set(any(differs(index_read(values, slice<1, n>), index_read(values, slice<0, n - 1>)), axis<1>));
  }();
  auto const sorted = index_read(rows, order);
  return sorted_runs<std::remove_const_t<decltype(sorted)>, std::remove_const_t<decltype(order)>, std::remove_const_t<decltype(first)>>{
      sorted, order, first};
}
// The first Size of the values that the mask selects, then the fill value, or the first of them.
template <int Size, tracer X, tracer M, class... Fill>
constexpr auto selected_values(X const& values, M const& mask, Fill const&... fill) {
  auto const at = std::get<0>(nonzero_op<Size>{}(mask));
  auto const found = index_read(values, at);
  if constexpr (sizeof...(Fill) == 0) {
    return found;
  } else {
    auto const valid = less(broadcasted_iota_near<default_int, 0, Size>(values), sum(mask));
    handle const wide = untyped::broadcast_in_dim(expr_access::get(valid), found.type, {first_axes, 1});  // of rows: for each element
    return where(expr_access::make<with_dtype_t<std::remove_const_t<decltype(found)>, bool>>(wide), found,
                 as_expr<typename X::dtype_type>(fill)...);
  }
}

// Asked: return_index_t and so on. Axis: of the elements that are compared, or -1: each number by itself.
template <int Size, int Axis, class... Asked>
struct unique_op {
  template <operand X, operand... Fill>
  constexpr auto operator()(X const& x, Fill const&... fill) const {
    using type = strong_t<type_in<X>>;
    auto const flat = reshaped<-1>(as_expr<type>(x));
    constexpr int n = static_cast<int>(aval_in<X>.size());
    if constexpr (Axis >= 0) {
      auto const rows = moveaxis<Axis, 0>(as_expr<type>(x));
      auto const runs = row_runs_of(rows);
      using mask = std::remove_const_t<decltype(runs.first)>;
      return results(moveaxis<0, Axis>(selected_values<Size>(runs.values, runs.first, fill...)), index_of(runs), inverse_of<mask>(runs),
                     counts_of<aval_in<X>.dims[Axis]>(runs));
    } else if constexpr (n == 0) {
      auto const values = expr<type, Size>(broadcast_shape<shape_value<Size>>(first_of(flat, as_expr<type>(fill)...)));
      auto const none = constant_like<expr<default_int, Size>>(flat, 0);
      return results(values, none, constant_like<expr_like<X, default_int>>(flat, 0), none);
    } else {
      auto const runs = runs_of(flat);
      auto const values = selected_values<Size>(runs.values, runs.first, fill...);
      return results(values, index_of(runs), inverse_of<X>(runs), counts_of<n>(runs));
    }
  }

 private:
  template <class Flat, class T>
  static constexpr expr<T> first_of(Flat const&, expr<T> const& fill) {
    return fill;
  }
  template <class Flat>
  static constexpr auto first_of(Flat const& flat) {
    return constant_like<expr<typename Flat::dtype_type>>(flat, 0);
  }
  template <class Runs>
  static constexpr auto index_of(Runs const& r) {
    if constexpr (asks_for<return_index_t, Asked...>) return index_read(r.order, std::get<0>(nonzero_op<Size>{}(r.first)));
    else return 0;
  }
  // Which of the values each element is.
  template <class X, class Runs>
  static constexpr auto inverse_of(Runs const& r) {
    if constexpr (asks_for<return_inverse_t, Asked...>) {
      auto const run = subtract(cumsum(r.first), 1);
      auto const none = zeros_like(run);
      auto const placed = make_at(none, r.order).set(run);
      return expr_access::make<expr_like<X, type_in<decltype(placed)>>>(
          untyped::reshape(expr_access::get(placed), {aval_in<X>.dims, rank_in<X>}));
    } else {
      return 0;
    }
  }
  template <int N, class Runs>
  static constexpr auto counts_of(Runs const& r) {
    if constexpr (asks_for<return_counts_t, Asked...>) {
      auto const at = std::get<0>(nonzero_op<Size + 1>{}(r.first));
      auto const behind = index_read(at, slice<1, Size + 1>);
      auto const end = where(greater(behind, 0), behind, N);
      auto const begin = [&] {
        if constexpr (Size == 0) return end;
        else return joined<0>(index_read(at, slice<0, 1>), index_read(end, slice<0, Size - 1>));
      }();
      return subtract(end, begin);
    } else {
      return 0;
    }
  }
  template <class V, class I, class Inverse, class C>
  static constexpr auto results(V const& values, I const& index, Inverse const& inverse, C const& counts) {
    auto const rest = std::tuple_cat(one<return_index_t>(index), one<return_inverse_t>(inverse), one<return_counts_t>(counts));
    if constexpr (sizeof...(Asked) == 0) return values;
    else return std::tuple_cat(std::tuple<V>(values), rest);
  }
  template <class Word, class R>
  static constexpr auto one(R const& r) {
    if constexpr (asks_for<Word, Asked...>) return std::tuple<R>(r);
    else return std::tuple<>();
  }
};

template <int Size, int Axis, class Asked, class... Options>
struct unique_call;
template <int Size, int Axis, class... Asked>
struct unique_call<Size, Axis, type_list<Asked...>> {
  using type = unique_op<Size, Axis, Asked...>;
};
template <int Size, int Axis, class... Asked, class First, class... Rest>
struct unique_call<Size, Axis, type_list<Asked...>, First, Rest...>
    : unique_call<Size, Axis,
                  std::conditional_t<asks_for<First, return_index_t, return_inverse_t, return_counts_t>, type_list<Asked..., First>,
                                     type_list<Asked...>>,
                  Rest...> {};

// Conditions of static_asserts: compilers print the types.
template <int Size, class X, class... Options>
inline constexpr bool can_be_filled = aval_in<X>.size() > 0 || Size <= 0 || (option_traits<Options>::fill || ...);

}  // namespace detail

// What unique gives besides the values, in this order: where each stands first, which of them each element is, how many there are.
inline constexpr detail::return_index_t return_index{};
inline constexpr detail::return_inverse_t return_inverse{};
inline constexpr detail::return_counts_t return_counts{};
// intersect1d: a tuple of the values, their first places in a, and in b.
inline constexpr detail::return_indices_t return_indices{};

// The different values of the flattened array in ascending order: [size], dtype of x; or along axis<k> the different slices, in
// lexicographic order. An array, or a tuple if return_index, return_inverse or return_counts ask for more (integers). Refused: no size, an
// axis out of range or without elements, an empty x without fill_value (jax.numpy.unique).
template <int Size = -1, array_like X, class... Options>
constexpr auto unique(X const& x, Options const&... options) {
  EXPRAX_TAKES("unique", "size<n>, axis<k>, fill_value(v), return_index, return_inverse, return_counts", Options...) {
    constexpr int size = detail::result_size<Size, Options...>;
    static_assert(detail::is_static_size<size>,
                  "exprax: unique: To make jnp.unique() compatible with JIT and other transforms, you can specify a concrete value for the "
                  "size argument, which will determine the output size: ex::unique<size>(x, ex::fill_value(v))");
    static_assert(detail::can_be_filled<size, X, Options...>,
                  "exprax: unique: for zero-sized input with nonzero size argument, fill_value must be specified");
    using o = detail::index_options<Options...>;
    static_assert(detail::has_taken_axis<X, o>, "exprax: unique: the axis is out of range for the array");
    static_assert(!o::has_axis || detail::aval_in<X>.size() > 0, "exprax: unique: along an axis there must be elements");
    using op = typename detail::unique_call<size, o::has_axis ? detail::normal_axis(o::axis, detail::rank_in<X>) : -1, detail::type_list<>,
                                            Options...>::type;
    if constexpr (size >= 0 && detail::can_be_filled<size, X, Options...> && detail::has_taken_axis<X, o> &&
                  (!o::has_axis || detail::aval_in<X>.size() > 0))
      return detail::apply_with_fill<op>(x, options...);
    else return x;  // after the error: nothing that leads to others
  } else {
    return x;
  }
}
// unique with fixed results: unique_values the values, unique_counts (values, counts), unique_inverse (values, inverse), unique_all
// (values, indices, inverse, counts) (jax.numpy.unique_values, unique_counts, unique_inverse, unique_all).
template <int Size = -1, array_like X, class... Options>
constexpr auto unique_values(X const& x, Options const&... options) {
  EXPRAX_TAKES("unique_values", "size<n>, fill_value(v)", Options...) return unique<Size>(x, options...);
  else return x;
}
template <int Size = -1, array_like X, class... Options>
constexpr auto unique_counts(X const& x, Options const&... options) {
  EXPRAX_TAKES("unique_counts", "size<n>, fill_value(v)", Options...) return unique<Size>(x, return_counts, options...);
  else return x;
}
template <int Size = -1, array_like X, class... Options>
constexpr auto unique_inverse(X const& x, Options const&... options) {
  EXPRAX_TAKES("unique_inverse", "size<n>, fill_value(v)", Options...) return unique<Size>(x, return_inverse, options...);
  else return x;
}
template <int Size = -1, array_like X, class... Options>
constexpr auto unique_all(X const& x, Options const&... options) {
  EXPRAX_TAKES("unique_all", "size<n>, fill_value(v)", Options...)
  return unique<Size>(x, return_index, return_inverse, return_counts, options...);
  else return x;
}

}  // namespace exprax
