// SPDX-License-Identifier: BSL-1.0
// Bits in the bytes of a uint8 array (jax.numpy): packbits, unpackbits.
#pragma once

#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/elementwise/bitwise.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/shape/transpose.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

template <bool Little>
struct bitorder_t {};
// packbits, unpackbits: the first bit is the highest one of its byte, or the lowest.
inline constexpr bitorder_t<false> bitorder_big{};
inline constexpr bitorder_t<true> bitorder_little{};

namespace detail {

// The values of the bits of a byte in their order. Not shifts: there are no instructions that shift bytes by lanes.
template <bool Little, tracer X>
constexpr auto bit_values(X const& near) {
  std::uint64_t bits[8] = {};
  for (int i = 0; i < 8; ++i) bits[i] = std::uint64_t{1} << (Little ? i : 7 - i);
  return constant<expr<std::uint8_t, 8>>(expr_access::get(near), {bits, 8});
}
// Axis: rank_in<X> and more for the flattened array.
template <int Axis, bool Flat, bool Little>
struct packbits_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto const bits = [&] {
      if constexpr (is_bool(aval_in<X>.type)) return astype<std::uint8_t>(as_traced(x));
      else return astype<std::uint8_t>(not_equal(as_traced(x), 0));
    }();
    if constexpr (Flat) return rows(reshaped<-1>(bits));
    else return moveaxis_op<-1, Axis>{}(rows(moveaxis_op<Axis, -1>{}(bits)));
  }

 private:
  template <class X>
  static constexpr auto rows(X const& x) {
    constexpr int last = X::rank - 1, n = X::extent(last), bytes = (n + 7) / 8;
    using full = expr_from<resized_shape<X, last, 8 * bytes - n>>;
    auto const whole = [&] {
      if constexpr (n % 8 == 0) return x;
      else return joined<last>(x, constant_like<full>(x, 0));
    }();
    auto const split = [&]<int... I>(std::integer_sequence<int, I...>) { return reshaped<X::extent(I)..., bytes, 8>(whole); }
    (std::make_integer_sequence<int, last>{});
    return sum(split * bit_values<Little>(x), axis<-1>, dtype_<std::uint8_t>);
  }
};
template <int Axis, bool Flat, bool Little, int Count>
struct unpackbits_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Flat) return rows(reshaped<-1>(as_traced(x)));
    else return moveaxis_op<-1, Axis>{}(rows(moveaxis_op<Axis, -1>{}(as_traced(x))));
  }

 private:
  template <class X>
  static constexpr auto rows(X const& x) {
    constexpr int last = X::rank - 1, n = 8 * X::extent(last);
    auto const bits = minimum(bitwise_and(expanded<X::rank>(x), bit_values<Little>(x)), std::uint8_t(1));
    auto const row = [&]<int... I>(std::integer_sequence<int, I...>) { return reshaped<X::extent(I)..., n>(bits); }
    (std::make_integer_sequence<int, last>{});
    using row_type = std::remove_const_t<decltype(row)>;
    if constexpr (Count < 0 || Count == n) return row;
    else if constexpr (Count < n) return index_read(row, ellipsis, slice<0, Count>);
    else return joined<last>(row, constant_like<expr_from<resized_shape<row_type, last, Count - n>>>(x, 0));
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X>
inline constexpr bool has_bits_only = is_integer(aval_in<X>.type) || is_bool(aval_in<X>.type);
template <class X>
inline constexpr bool is_of_bytes = aval_in<X>.type == dtype::u8;

}  // namespace detail

// Eight elements, zero or not, in each byte, the last one filled up by zeros; of the flattened array, or along axis<k>: [n] ->
// uint8[ceil(n / 8)]. The first element is the highest bit, with bitorder_little the lowest. Refused: dtypes that are not integers or
// bool, an axis out of range (jax.numpy.packbits).
inline constexpr struct packbits_function {
  template <array_like X, bool Little = false>
  constexpr auto operator()(X const& x, bitorder_t<Little> = {}) const {
    static_assert(detail::has_bits_only<X>, "exprax: packbits: expected an input array of integer or boolean data type");
    return detail::apply<detail::packbits_op<0, true, Little>>(x);
  }
  template <array_like X, int Axis, bool Little = false>
  constexpr auto operator()(X const& x, axis_t<Axis>, bitorder_t<Little> = {}) const {
    static_assert(detail::has_bits_only<X>, "exprax: packbits: expected an input array of integer or boolean data type");
    static_assert(detail::has_axis_of_rows<X, Axis>, "exprax: packbits: the axis is out of range for the array");
    return detail::apply<detail::packbits_op<Axis, false, Little>>(x);
  }
} packbits{};
// The bits of each byte, of the flattened array, or along axis<k>: [n] -> uint8[8 n]; unpackbits<count>: so many of them, with zeros
// behind if there are fewer. Refused: other dtypes than uint8, an axis out of range (jax.numpy.unpackbits).
template <int Count = -1, array_like X, bool Little = false>
constexpr auto unpackbits(X const& x, bitorder_t<Little> = {}) {
  static_assert(detail::is_of_bytes<X>, "exprax: unpackbits: expected an input array of unsigned byte data type");
  return detail::apply<detail::unpackbits_op<0, true, Little, Count>>(x);
}
template <int Count = -1, array_like X, int Axis, bool Little = false>
constexpr auto unpackbits(X const& x, axis_t<Axis>, bitorder_t<Little> = {}) {
  static_assert(detail::is_of_bytes<X>, "exprax: unpackbits: expected an input array of unsigned byte data type");
  static_assert(detail::has_axis_of_rows<X, Axis>, "exprax: unpackbits: the axis is out of range for the array");
  return detail::apply<detail::unpackbits_op<Axis, false, Little, Count>>(x);
}

}  // namespace exprax
