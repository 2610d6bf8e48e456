// SPDX-License-Identifier: BSL-1.0
// Functions of jax.numpy that are put together from others in a line or two: amax, amin, concat, permute_dims, bitwise_invert, unstack,
// divmod, packbits, unpackbits, mask_indices, mgrid, ogrid, iscomplexobj, isrealobj.
#pragma once

#include <exprax/numpy/core/grids.hpp>
#include <exprax/numpy/elementwise/bitwise.hpp>
#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/indexing/nonzero.hpp>
#include <exprax/numpy/reductions/reduction_options.hpp>
#include <exprax/numpy/shape/splitting.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

template <bool Little>
struct bitorder_t {};
// packbits, unpackbits: the first bit is the highest one of its byte, or the lowest.
inline constexpr bitorder_t<false> bitorder_big{};
inline constexpr bitorder_t<true> bitorder_little{};

namespace detail {

template <int Axis>
struct unstack_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    constexpr int axis = normal_axis(Axis, rank_in<X>);
    auto const parts = split_op<equal_parts<aval_in<X>.dims[axis]>, axis>{}(x);
    return std::apply([](auto const&... part) { return std::tuple{squeeze_op<axis>{}(part)...}; }, parts);
  }
};
struct divmod_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return std::tuple{floor_divide(a, b), remainder(a, b)};
  }
};

// The bits of a byte in their order, along a last axis of 8.
template <bool Little, tracer X>
constexpr auto bit_places(X const& near) {
  auto const up = broadcasted_iota_near<std::uint8_t, 0, 8>(near);
  if constexpr (Little) return up;
  else return std::uint8_t(7) - up;
}
// Axis: rank_in<X> and more for the flattened array.
template <int Axis, bool Flat, bool Little>
struct packbits_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto const bits = astype<std::uint8_t>(not_equal(as_traced(x), 0));
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
    auto const split = [&]<int... I>(std::integer_sequence<int, I...>) { return reshaped<X::extent(I)..., bytes, 8>(whole); }(std::make_integer_sequence<int, last>{});
    return sum<std::uint8_t>(left_shift(split, bit_places<Little>(x)), axis<-1>);
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
    auto const bits = bitwise_and(right_shift(expanded<X::rank>(x), bit_places<Little>(x)), std::uint8_t(1));
    auto const row = [&]<int... I>(std::integer_sequence<int, I...>) { return reshaped<X::extent(I)..., n>(bits); }(std::make_integer_sequence<int, last>{});
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

// max and min under their other names (jax.numpy.amax, amin).
template <array_like X, class... O>
constexpr auto amax(X const& x, O const&... options) {
  EXPRAX_TAKES("amax", "axis<...>, keepdims, initial(v), where_(mask)", O...) return exprax::max(x, options...);
  else return x;
}
template <array_like X, class... O>
constexpr auto amin(X const& x, O const&... options) {
  EXPRAX_TAKES("amin", "axis<...>, keepdims, initial(v), where_(mask)", O...) return exprax::min(x, options...);
  else return x;
}
// concatenate under another name; axis<k>, 0 if none is given (jax.numpy.concat).
template <class... X, int Axis = 0>
constexpr auto concat(std::tuple<X...> const& x, axis_t<Axis> a = {}) {
  return concatenate(x, a);
}
// transpose under another name: permute_dims<1, 0>(x) (jax.numpy.permute_dims).
template <int... Axes, array_like X>
constexpr auto permute_dims(X const& x) {
  return transpose<Axes...>(x);
}
// bitwise_not under another name (jax.numpy.bitwise_invert).
template <array_like X>
constexpr auto bitwise_invert(X const& x) {
  return bitwise_not(x);
}
// The parts along axis<k> (0), without it: [n, ...] -> a tuple of n [...], dtype of x. Refused: scalars, an axis out of range
// (jax.numpy.unstack).
template <array_like X, int Axis = 0>
constexpr auto unstack(X const& x, axis_t<Axis> = {}) {
  constexpr bool fits = detail::normal_axes<Axis>(detail::rank_in<X>).valid;
  static_assert(fits, "exprax: unstack: requires arrays with rank > 0, and an axis in range");
  if constexpr (!fits) return x;  // after the error: nothing that leads to others
  else if constexpr (detail::aval_in<X>.dims[detail::normal_axis(Axis, detail::rank_in<X>)] == 0) return std::tuple<>();
  else return detail::apply<detail::unstack_op<Axis>>(x);
}
// (floor_divide(a, b), remainder(a, b)). Shapes broadcast; the promoted dtype. Refused: shapes that do not broadcast (jax.numpy.divmod).
template <array_like A, array_like B>
constexpr auto divmod(A const& a, B const& b) {
  EXPRAX_BROADCASTS("divmod", A, B);
  return detail::apply<detail::divmod_op>(a, b);
}
// Eight elements, zero or not, in each byte, the last one filled up by zeros; of the flattened array, or along axis<k>: [n] ->
// uint8[ceil(n / 8)]. The first element is the highest bit, with bitorder_little the lowest. Refused: dtypes that are not integers or
// bool, an axis out of range (jax.numpy.packbits).
template <array_like X, bool Little = false>
constexpr auto packbits(X const& x, bitorder_t<Little> = {}) {
  static_assert(detail::has_bits_only<X>, "exprax: packbits: expected an input array of integer or boolean data type");
  return detail::apply<detail::packbits_op<0, true, Little>>(x);
}
template <array_like X, int Axis, bool Little = false>
constexpr auto packbits(X const& x, axis_t<Axis>, bitorder_t<Little> = {}) {
  static_assert(detail::has_bits_only<X>, "exprax: packbits: expected an input array of integer or boolean data type");
  static_assert(detail::has_axis_of_rows<X, Axis>, "exprax: packbits: the axis is out of range for the array");
  return detail::apply<detail::packbits_op<Axis, false, Little>>(x);
}
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
// The indices of the elements of an N x N matrix that f leaves not zero: mask_indices<n, size>([](auto x) { return ex::triu<1>(x); }): a
// tuple of two default_int[size] (jax.numpy.mask_indices).
template <int N, int Size, class F>
constexpr auto mask_indices(F f) {
  return nonzero<Size>(f(ones<N, N>()));
}
// The coordinates of a grid, jax.numpy.mgrid[0:3, 1:4]: mgrid(slice<0, 3>, slice<1, 4>): [number of slices, sizes...], of one slice a
// vector. The dtype is that of arange (jax.numpy.mgrid).
template <auto Start, auto Stop, int Step>
constexpr auto mgrid(slice_t<Start, Stop, Step>) {
  return arange<Start, Stop, Step>();
}
template <auto... Start, auto... Stop, int... Step>
  requires(sizeof...(Step) > 1)
constexpr auto mgrid(slice_t<Start, Stop, Step>...) {
  return std::apply([](auto const&... x) { return stack(std::tuple{x...}); }, meshgrid(std::tuple{arange<Start, Stop, Step>()...}, indexing_ij));
}
// The same as a tuple of arrays that broadcast to the grid, [n, 1, ...], [1, m, ...], ...; of one slice a vector (jax.numpy.ogrid).
template <auto Start, auto Stop, int Step>
constexpr auto ogrid(slice_t<Start, Stop, Step>) {
  return arange<Start, Stop, Step>();
}
template <auto... Start, auto... Stop, int... Step>
  requires(sizeof...(Step) > 1)
constexpr auto ogrid(slice_t<Start, Stop, Step>...) {
  return meshgrid(std::tuple{arange<Start, Stop, Step>()...}, indexing_ij, sparse);
}
// Whether the dtype is complex (iscomplexobj), or not (isrealobj): constants of type bool (jax.numpy.iscomplexobj, isrealobj).
template <array_like X>
constexpr bool iscomplexobj(X const&) {
  return is_complex(detail::aval_in<X>.type);
}
template <array_like X>
constexpr bool isrealobj(X const&) {
  return !is_complex(detail::aval_in<X>.type);
}

}  // namespace exprax
