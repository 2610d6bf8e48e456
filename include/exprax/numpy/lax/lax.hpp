// SPDX-License-Identifier: BSL-1.0
// ex::lax: functions that have the name of one in jax.numpy and mean something else in jax.lax. Operands must have one dtype, and
// shapes of one rank, equal or 1; only C++ numbers adapt. What lax alone has is in ex, and named here as well.
#pragma once

#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/core/grids.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/indexing/at.hpp>
#include <exprax/numpy/indexing/dynamic.hpp>
#include <exprax/numpy/products/dot_general.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/shape/transpose.hpp>

namespace exprax {

namespace detail {

// Conditions of static_asserts: compilers print the types.
template <class A, class B>
inline constexpr bool have_one_dtype = [] {
  using type = promote_t<type_in<A>, type_in<B>>;
  if (aval_in<A>.type == aval_in<B>.type) return true;
  return (number<A> && dtype_of<type> == aval_in<B>.type) || (number<B> && dtype_of<type> == aval_in<A>.type);
}();
template <class A, class B>
inline constexpr bool have_one_rank = rank_in<A> == 0 || rank_in<B> == 0 || rank_in<A> == rank_in<B>;

template <prim P, bool Predicate = false>
struct lax_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    return record_binary<P, type, std::conditional_t<Predicate, bool, type>>(a, b);
  }
};
template <prim P, bool Predicate = false, class A, class B>
constexpr auto lax_binary(A const& a, B const& b) {
  static_assert(have_one_dtype<A, B>, "exprax: the functions of lax (add, mul, ...) require arguments to have the same dtypes: this message names them "
                                      "(tip: ex::add and others do automatic type promotion on inputs)");
  static_assert(have_one_rank<A, B>, "exprax: the functions of lax: arrays must have the same number of dimensions");
  static_assert(broadcasts<A, B>, "exprax: the functions of lax: incompatible shapes for broadcasting: sizes must be equal or 1");
  return apply<lax_op<P, Predicate>>(a, b);
}
struct clamp_op {
  template <operand Low, operand X, operand High>
  constexpr auto operator()(Low const& low, X const& x, High const& high) const {
    using type = type_in<X>;
    auto&& a = cast<type>(low);
    auto const v = as_traced(x);
    auto&& b = cast<type>(high);
    return bind<expr_type<X>>(prim::clamp, {}, a, v, b);
  }
};
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
    return bind<expr_from<to>>(prim::pad, to::params, as_traced(x), v);
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
    return bind<expr_from<to>>(prim::slice, to::params, as_traced(x));
  }
};
template <class Order, int... Sizes>
struct ordered_reshape_op;
template <int... Order, int... Sizes>
struct ordered_reshape_op<axis_t<Order...>, Sizes...> {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto const turned = transpose_op<Order...>{}(x);
    return reshaped<Sizes...>(turned);
  }
};
template <class... X>
inline constexpr bool are_of_one_dtype = true;
template <class First, class... Rest>
inline constexpr bool are_of_one_dtype<First, Rest...> = ((aval_in<First>.type == aval_in<Rest>.type) && ...);

}  // namespace detail

namespace lax {

// add, sub, mul: a + b, a - b, a * b; integers wrap. Shapes must have one rank, or be scalars, with sizes equal or 1; both operands have
// one dtype, which is the result's; only C++ numbers adapt. Refused: other dtypes and shapes, in all functions of two operands here
// (jax.lax.add, sub, mul).
template <array_like A, array_like B>
constexpr auto add(A const& a, B const& b) {
  return detail::lax_binary<prim::add>(a, b);
}
template <array_like A, array_like B>
constexpr auto sub(A const& a, B const& b) {
  return detail::lax_binary<prim::sub>(a, b);
}
template <array_like A, array_like B>
constexpr auto mul(A const& a, B const& b) {
  return detail::lax_binary<prim::mul>(a, b);
}
// The quotient; of integers without its fraction, and x / 0 is -1. Shapes, dtypes and errors as of add (jax.lax.div, StableHLO divide).
template <array_like A, array_like B>
constexpr auto div(A const& a, B const& b) {
  return detail::lax_binary<prim::div>(a, b);
}
// What div leaves, with the sign of a. Shapes, dtypes and errors as of add (jax.lax.rem, StableHLO remainder).
template <array_like A, array_like B>
constexpr auto rem(A const& a, B const& b) {
  return detail::lax_binary<prim::rem>(a, b);
}
// The larger (max) and the smaller (min) of two elements; NaN if one of them is. Shapes, dtypes and errors as of add (jax.lax.max, min).
template <array_like A, array_like B>
constexpr auto max(A const& a, B const& b) {
  return detail::lax_binary<prim::max>(a, b);
}
template <array_like A, array_like B>
constexpr auto min(A const& a, B const& b) {
  return detail::lax_binary<prim::min>(a, b);
}
// Bit by bit, for integers and bool: bitwise_and, bitwise_or, bitwise_xor. Shapes, dtypes and errors as of add (jax.lax.bitwise_and, ...).
template <array_like A, array_like B>
constexpr auto bitwise_and(A const& a, B const& b) {
  return detail::lax_binary<prim::and_>(a, b);
}
template <array_like A, array_like B>
constexpr auto bitwise_or(A const& a, B const& b) {
  return detail::lax_binary<prim::or_>(a, b);
}
template <array_like A, array_like B>
constexpr auto bitwise_xor(A const& a, B const& b) {
  return detail::lax_binary<prim::xor_>(a, b);
}
// Comparisons: eq (=), ne (not equal), lt (<), le (<=), gt (>), ge (>=); bool. Shapes and errors as of add (jax.lax.eq, ne, lt, le, gt,
// ge).
template <array_like A, array_like B>
constexpr auto eq(A const& a, B const& b) {
  return detail::lax_binary<prim::eq, true>(a, b);
}
template <array_like A, array_like B>
constexpr auto ne(A const& a, B const& b) {
  return detail::lax_binary<prim::ne, true>(a, b);
}
template <array_like A, array_like B>
constexpr auto lt(A const& a, B const& b) {
  return detail::lax_binary<prim::lt, true>(a, b);
}
template <array_like A, array_like B>
constexpr auto le(A const& a, B const& b) {
  return detail::lax_binary<prim::le, true>(a, b);
}
template <array_like A, array_like B>
constexpr auto gt(A const& a, B const& b) {
  return detail::lax_binary<prim::gt, true>(a, b);
}
template <array_like A, array_like B>
constexpr auto ge(A const& a, B const& b) {
  return detail::lax_binary<prim::ge, true>(a, b);
}

// x^y: of floats; or by a whole number that is known while tracing, as integer_pow. Refused: different dtypes, unless the exponent is an
// integer (jax.lax.pow).
template <array_like A, array_like B>
constexpr auto pow(A const& a, B const& b) {
  static_assert(detail::have_one_dtype<A, B> || is_integer(detail::aval_in<B>.type),
                "exprax: lax.pow requires arguments to have the same dtypes, or an integer exponent");
  return power(a, b);
}
using exprax::integer_pow;
// -x; shape and dtype of x (jax.lax.neg).
template <array_like X>
constexpr auto neg(X const& x) {
  return negative(x);
}
// Whether x is neither infinite nor NaN: bool, of x's shape (jax.lax.is_finite).
template <array_like X>
constexpr auto is_finite(X const& x) {
  return isfinite(x);
}
using exprax::abs;
using exprax::bitwise_not;
using exprax::ceil;
using exprax::cos;
using exprax::exp;
using exprax::expm1;
using exprax::floor;
using exprax::log;
using exprax::log1p;
using exprax::logistic;
using exprax::reciprocal;
using exprax::rsqrt;
using exprax::sign;
using exprax::sin;
using exprax::sqrt;
using exprax::square;
using exprax::tanh;

// min(max(x, low), high); low and high have the shape of x, or are scalars. Shape and dtype of x. Refused: different dtypes, other shapes
// (jax.lax.clamp, StableHLO clamp).
template <array_like Low, array_like X, array_like High>
constexpr auto clamp(Low const& low, X const& x, High const& high) {
  static_assert(detail::have_one_dtype<X, Low> && detail::have_one_dtype<X, High>, "exprax: lax.clamp requires arguments to have the same dtypes");
  static_assert((detail::rank_in<Low> == 0 || detail::have_equal_shapes<Low, X>) && (detail::rank_in<High> == 0 || detail::have_equal_shapes<High, X>),
                "exprax: lax.clamp: min and max must be scalars or have the shape of the operand");
  return detail::apply<detail::clamp_op>(low, x, high);
}
using exprax::select_n;
// on_true where `which` holds, else on_false; which is a scalar or of their shape. Refused: cases of different shapes or dtypes, nothing
// is broadcast or promoted (jax.lax.select, StableHLO select).
template <array_like Which, array_like X, array_like Y>
constexpr auto select(Which const& which, X const& on_true, Y const& on_false) {
  return exprax::select(which, on_true, on_false);
}
// x with the dtype T: convert_element_type<double>(x) (jax.lax.convert_element_type, StableHLO convert).
template <class T, array_like X>
constexpr auto convert_element_type(X const& x) {
  return astype<T>(x);
}

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
                "exprax: lax.broadcast_in_dim: name an axis of the result for each axis of the operand, in increasing order; sizes must be equal or 1");
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
  static_assert(detail::collapsed_shape<X, Start, Stop>::fits, "exprax: lax.collapse: start and stop must be axes of the operand, in this order");
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
                "exprax: lax.pad: give low, high and interior padding for each axis; interior padding and the sizes of the result must not be negative");
  static_assert(detail::have_one_dtype<X, V> && detail::rank_in<V> == 0, "exprax: lax.pad: the padding value must be a scalar of the operand's dtype");
  return detail::apply<detail::lax_pad_op<Config...>>(x, value);
}
// slice(x, axis<starts...>, axis<limits...>, axis<strides...>): start, start + stride, ... below limit: [n] -> [ceil((limit - start) /
// stride)]; dtype of x. Refused: bounds outside of x, or not one for each axis; strides below 1 (jax.lax.slice, StableHLO slice).
template <array_like X, int... Start, int... Limit, int... Stride>
constexpr auto slice(X const& x, axis_t<Start...>, axis_t<Limit...>, axis_t<Stride...> = {}) {
  static_assert(detail::lax_sliced_shape<X, axis_t<Start...>, axis_t<Limit...>, axis_t<Stride...>>::fits,
                "exprax: lax.slice: give a start, a limit (and a stride) for each axis, with 0 <= start <= limit <= size");
  return detail::apply<detail::lax_slice_op<axis_t<Start...>, axis_t<Limit...>, axis_t<Stride...>>>(x);
}
// Arrays one after the other along an axis; their dtype. Refused: different dtypes, other axes that differ in size (jax.lax.concatenate,
// StableHLO concatenate).
template <array_like... X, int Axis>
constexpr auto concatenate(std::tuple<X...> const& x, axis_t<Axis> a) {
  static_assert(detail::are_of_one_dtype<X...>, "exprax: lax.concatenate requires arguments to have the same dtypes");
  return exprax::concatenate(x, a);
}
using exprax::dot;
using exprax::dot_general;
using exprax::dynamic_slice;
using exprax::dynamic_update_slice;

}  // namespace lax

}  // namespace exprax
