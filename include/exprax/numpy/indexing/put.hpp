// SPDX-License-Identifier: BSL-1.0
// Values written into arrays, repeated as needed (jax.numpy): put, place, fill_diagonal.
#pragma once

#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/indexing/triangle_indices.hpp>
#include <exprax/numpy/shape/repeat.hpp>

namespace exprax {

namespace detail {

// The first N elements of v, again and again.
template <int N, tracer V>
constexpr auto tiled_to(V const& v) {
  constexpr int have = static_cast<int>(V::size());
  auto const flat = reshaped<-1>(v);
  if constexpr (have == N) {
    return flat;
  } else {
    array<std::int32_t, N> at;
    for (int i = 0; i < N; ++i) at.data()[i] = i % have;
    return index_read(flat, at);
  }
}

struct fill_diagonal_op {
  template <operand X, operand V>
  constexpr auto operator()(X const& x, V const& value) const {
    constexpr int n = [] {
      int least = aval_in<X>.dims[0];
      for (int i = 1; i < rank_in<X>; ++i) least = aval_in<X>.dims[i] < least ? aval_in<X>.dims[i] : least;
      return least;
    }();
    auto const target = as_traced(x);
    auto const at = lift(first_indices<n>());
    if constexpr (rank_in<V> == 0 || aval_in<V>.size() == 0 || n == 0)
      return set_at(target, at, value, std::make_integer_sequence<int, rank_in<X>>{});
    else return set_at(target, at, tiled_to<n>(as_traced(value)), std::make_integer_sequence<int, rank_in<X>>{});
  }

 private:
  template <int, class I>
  static constexpr I const& same(I const& i) {
    return i;
  }
  template <class X, class I, class V, int... K>
  static constexpr auto set_at(X const& x, I const& at, V const& value, std::integer_sequence<int, K...>) {
    auto const place = make_at(x, same<K>(at)...);
    return place.set(value);
  }
};

template <mode_word Mode>
struct put_op {
  template <operand X, operand I, operand V>
  constexpr auto operator()(X const& x, I const& indices, V const& values) const {
    auto const target = as_traced(x);
    using type = std::remove_const_t<decltype(target)>;
    if constexpr (type::size() == 0 || aval_in<I>.size() == 0 || aval_in<V>.size() == 0) {
      return target;
    } else {
      constexpr int n = static_cast<int>(aval_in<I>.size());
      auto const at = reshaped<-1>(as_traced(indices));
      auto const v = tiled_to<n>(as_traced(values));
      auto const flat = reshaped<-1>(target);
      auto const done = [&] {
        if constexpr (Mode == mode_word::wrap) return flat.at(at).set(v, mode_wrap);
        else if constexpr (Mode == mode_word::clip) return flat.at(clip(at, 0, static_cast<int>(type::size()) - 1)).set(v);
        else return flat.at(at).set(v);
      }();
      return expr_access::make<type>(untyped::reshape(expr_access::get(done), {type::type.dims, type::rank}));
    }
  }
};
struct place_op {
  template <operand X, operand M, operand V>
  constexpr auto operator()(X const& x, M const& mask, V const& values) const {
    auto const target = as_traced(x);
    using type = std::remove_const_t<decltype(target)>;
    constexpr int n = static_cast<int>(type::size());
    if constexpr (n == 0) {
      return target;
    } else {
      auto const at = std::get<0>(nonzero_op<n>{}(reshaped<-1>(as_traced(mask)), n));
      auto const done = reshaped<-1>(target).at(at).set(tiled_to<n>(as_traced(values)), mode_drop);
      return expr_access::make<type>(untyped::reshape(expr_access::get(done), {type::type.dims, type::rank}));
    }
  }
};

// Conditions of static_asserts: compilers print the types.
template <class A, class B>
inline constexpr bool have_equal_sizes = aval_in<A>.size() == aval_in<B>.size();
template <class X>
inline constexpr bool has_values_to_place = aval_in<X>.size() > 0;

}  // namespace detail

// x with a value, or the elements of an array in turn, on its main diagonal. Shape and dtype are those of x. Refused: fewer than two axes,
// or more than two that differ in size (jax.numpy.fill_diagonal with inplace=False).
inline constexpr struct fill_diagonal_function {
  template <array_like X, array_like V>
  constexpr auto operator()(X const& x, V const& value) const {
    static_assert(detail::has_a_diagonal<X>, "exprax: fill_diagonal: the array must have two axes, or more of one size");
    if constexpr (detail::has_a_diagonal<X>) return detail::apply<detail::fill_diagonal_op>(x, value);
    else return x;  // after the error: nothing that leads to others
  }
} fill_diagonal{};
// x with values, repeated as needed, at indices of the flattened x. Shape and dtype are those of x. Indices out of range are dropped, or
// clamped with mode_clip, or taken modulo with mode_wrap. Refused: indices that are not integers (jax.numpy.put with inplace=False).
inline constexpr struct put_function {
  template <array_like X, array_like I, array_like V, detail::mode_word Mode = detail::mode_word::automatic>
  constexpr auto operator()(X const& x, I const& indices, V const& values, detail::mode_word_t<Mode> = {}) const {
    static_assert(detail::are_of_integers<I>, "exprax: put: the indices must be integers");
    if constexpr (detail::are_of_integers<I>) return detail::apply<detail::put_op<Mode>>(x, indices, values);
    else return x;  // after the error: nothing that leads to others
  }
} put{};
// x with value number k, repeated as needed, where the mask is true for the k-th time. Shape and dtype are those of x. Refused: a mask of
// another number of elements, no values (jax.numpy.place with inplace=False).
inline constexpr struct place_function {
  template <array_like X, array_like M, array_like V>
  constexpr auto operator()(X const& x, M const& mask, V const& values) const {
    static_assert(detail::have_equal_sizes<X, M>, "exprax: place: arr and mask must be the same size");
    static_assert(detail::has_values_to_place<V>, "exprax: place: Cannot place values from an empty array");
    if constexpr (detail::have_equal_sizes<X, M> && detail::has_values_to_place<V>) return detail::apply<detail::place_op>(x, mask, values);
    else return x;  // after the error: nothing that leads to others
  }
} place{};

}  // namespace exprax
