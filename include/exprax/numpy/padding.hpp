// SPDX-License-Identifier: BSL-1.0
// pad with what stands in the array (jax.numpy.pad): pad<widths...>(x, pad_mode<...>), modes edge, reflect, symmetric, wrap,
// linear_ramp, maximum, minimum, mean. Widths as for pad with a constant (joining.hpp). Axes are padded one after the other.
#pragma once

#include <exprax/numpy/division.hpp>
#include <exprax/numpy/joining.hpp>
#include <exprax/numpy/untyped.hpp>

namespace exprax {

enum class pad_with { edge, reflect, symmetric, wrap, linear_ramp, maximum, minimum, mean };

template <pad_with Mode>
struct pad_mode_t {};
template <pad_with Mode>
inline constexpr pad_mode_t<Mode> pad_mode{};

namespace detail {

constexpr handle repeated(handle const& x, int axis, int times) {
  aval shape = untyped::type_of(x);
  shape.dims[axis] = times;
  param_list dims;
  for (int i = 0; i < shape.rank; ++i) dims.push(i);
  return untyped::broadcast_in_dim(x, shape, dims);
}

// The elements of one axis around themselves, as often as it takes. Offset 1: without the outermost one (reflect).
constexpr handle mirrored(handle x, int axis, int low, int high, bool reflect) {
  int const n = untyped::type_of(x).dims[axis], offset = reflect && n > 1;
  for (int side = 0; side < 2; ++side)
    for (int left = side == 0 ? low : high; left > 0;) {
      int const size = untyped::type_of(x).dims[axis], take = left < n - offset ? left : n - offset;
      int const start = side == 0 ? offset : size - take - offset;
      arena<handle> parts;
      handle const part = untyped::rev(untyped::slice(x, axis, start, start + take), axis);
      parts.push(side == 0 ? part : x);
      parts.push(side == 0 ? x : part);
      x = untyped::concatenate(parts, axis);
      left -= take;
    }
  return x;
}
constexpr handle wrapped_around(handle const& x, int axis, int low, int high) {
  int const n = untyped::type_of(x).dims[axis];
  arena<handle> parts;
  if (low % n > 0) parts.push(untyped::slice(x, axis, n - low % n, n));
  for (int k = 0; k < low / n + high / n + 1; ++k) parts.push(x);
  if (high % n > 0) parts.push(untyped::slice(x, axis, 0, high % n));
  return untyped::concatenate(parts, axis);
}
// From 0, which is not reached, to the edge: edge * k / n. Integers are rounded down.
template <class T>
constexpr handle ramp(handle const& edge, int axis, int n, bool up) {
  using F = strong_t<inexact_t<T>>;
  aval shape = untyped::type_of(edge).with_type(dtype_of<F>);
  if (n == 0) return untyped::slice(edge, axis, 0, 0);
  shape.dims[axis] = n;
  handle const count = untyped::iota(edge, shape, axis);
  handle const part = untyped::binary(prim::div, count, untyped::number<F>(edge, static_cast<F>(n)));
  handle scaled = untyped::binary(prim::mul, untyped::convert(edge, dtype_of<F>), part);
  if (is_integer(dtype_of<T>)) scaled = untyped::unary(prim::floor, scaled);
  handle const typed = untyped::convert(scaled, dtype_of<T>, is_weak<T>);
  if (up) return typed;
  return untyped::rev(typed, axis);
}
template <class T, pad_with Mode>
constexpr handle statistic(handle const& x, int axis) {
  axis_set along;
  along.of[along.n++] = axis;
  handle of = x;
  if (Mode == pad_with::mean) of = untyped::convert(x, dtype_of<strong_t<inexact_t<T>>>);
  prim const op = Mode == pad_with::maximum ? prim::reduce_max : Mode == pad_with::minimum ? prim::reduce_min : prim::reduce_sum;
  handle const r = untyped::reduce(op, of, along);
  if constexpr (Mode != pad_with::mean) {
    return untyped::expand_dims(r, along);
  } else {
    using F = strong_t<inexact_t<T>>;
    handle mean = untyped::binary(prim::div, r, untyped::number<F>(x, static_cast<F>(untyped::type_of(x).dims[axis])));
    if constexpr (is_integer(dtype_of<T>)) {
      // To the nearest whole number, halves to the even one.
      handle const down = untyped::unary(prim::floor, mean), rest = untyped::binary(prim::sub, mean, down);
      handle const up = untyped::binary(prim::add, down, untyped::number<F>(x, F(1))), half = untyped::number<F>(x, F(0.5));
      handle const odd = untyped::binary(prim::ne, untyped::binary(prim::rem, down, untyped::number<F>(x, F(2))), untyped::number<F>(x, F(0)));
      handle const tie = untyped::binary(prim::and_, untyped::binary(prim::eq, rest, half), odd);
      mean = untyped::select(untyped::binary(prim::or_, untyped::binary(prim::gt, rest, half), tie), down, up);
    }
    return untyped::expand_dims(untyped::convert(mean, dtype_of<T>, is_weak<T>), along);
  }
}

template <class T, pad_with Mode>
constexpr handle padded_along(handle const& x, int axis, int low, int high) {
  int const n = untyped::type_of(x).dims[axis];
  if (n == 0 || (low == 0 && high == 0)) return x;
  if constexpr (Mode == pad_with::reflect || Mode == pad_with::symmetric) {
    return mirrored(x, axis, low, high, Mode == pad_with::reflect);
  } else if constexpr (Mode == pad_with::wrap) {
    return wrapped_around(x, axis, low, high);
  } else {
    arena<handle> parts;
    if constexpr (Mode == pad_with::linear_ramp) {
      parts.push(ramp<T>(untyped::slice(x, axis, 0, 1), axis, low, true));
      parts.push(x);
      parts.push(ramp<T>(untyped::slice(x, axis, n - 1, n), axis, high, false));
    } else if constexpr (Mode == pad_with::edge) {
      parts.push(repeated(untyped::slice(x, axis, 0, 1), axis, low));
      parts.push(x);
      parts.push(repeated(untyped::slice(x, axis, n - 1, n), axis, high));
    } else {
      handle const value = statistic<T, Mode>(x, axis);
      parts.push(repeated(value, axis, low));
      parts.push(x);
      parts.push(repeated(value, axis, high));
    }
    return untyped::concatenate(parts, axis);
  }
}
template <pad_with Mode, int... Widths>
struct pad_mode_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    using to = padded_shape<X, Widths...>;
    handle r = untyped::from(x);
    for (int i = 0; i < X::rank; ++i) r = padded_along<typename X::dtype_type, Mode>(r, i, to::low(i), to::high(i));
    return untyped::typed<to>(r);
  }
};
template <pad_with Mode, int... Widths>
struct pad_mode_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<pad_mode_body<Mode, Widths...>>("_pad", x);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, int... Widths>
inline constexpr bool pads = padded_shape<X, Widths...>::fits;
template <class X, int... Widths>
inline constexpr bool has_what_pads = [] {
  for (int i = 0; i < rank_in<X>; ++i)
    if (aval_in<X>.dims[i] == 0 && padded_shape<X, Widths...>::low(i) + padded_shape<X, Widths...>::high(i) > 0) return false;
  return true;
}();

}  // namespace detail

template <int... Widths, array_like X, pad_with Mode>
constexpr auto pad(X const& x, pad_mode_t<Mode>) {
  static_assert(detail::pads<X, Widths...>, "exprax: pad: give one width, (before, after), or two widths for each axis");
  static_assert(((Widths >= 0) && ...), "exprax: pad: index can't contain negative values");
  static_assert(detail::has_what_pads<X, Widths...>, "exprax: pad: can't extend an empty axis with what stands in the array: pad it with a constant");
  if constexpr (detail::pads<X, Widths...> && ((Widths >= 0) && ...) && detail::has_what_pads<X, Widths...>)
    return detail::apply<detail::pad_mode_op<Mode, Widths...>>(x);
  else return x;  // after the error: nothing that leads to others
}

}  // namespace exprax
