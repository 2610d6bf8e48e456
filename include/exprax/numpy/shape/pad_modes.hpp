// SPDX-License-Identifier: BSL-1.0
// One axis of an array, padded with what stands in it: the modes of pad (numpy/shape/padding.hpp), as equations.
#pragma once

#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/elementwise/division.hpp>

namespace exprax {

enum class pad_with { edge, reflect, symmetric, wrap, linear_ramp, maximum, minimum, mean, median, empty };

namespace detail {

// A scalar as the elements before or behind those of x along an axis.
constexpr handle constant_block(handle const& value, handle const& x, int axis, int n) {
  aval shape = untyped::type_of(x);
  shape.dims[axis] = n;
  return untyped::broadcast_in_dim(value, shape, {});
}
constexpr handle repeated(handle const& x, int axis, int times) {
  aval shape = untyped::type_of(x);
  shape.dims[axis] = times;
  param_list dims;
  for (int i = 0; i < shape.rank; ++i) dims.push(i);
  return untyped::broadcast_in_dim(x, shape, dims);
}

// The elements of one axis around themselves, as often as it takes. Reflect: without the outermost one. Odd: twice the edge less these.
constexpr handle mirrored(handle x, int axis, int low, int high, bool reflect, bool odd) {
  int const n = untyped::type_of(x).dims[axis], offset = reflect && n > 1;
  for (int side = 0; side < 2; ++side) {
    int const whole = untyped::type_of(x).dims[axis];
    handle edge = side == 0 ? untyped::slice(x, axis, 0, 1) : untyped::slice(x, axis, whole - 1, whole);
    for (int left = side == 0 ? low : high; left > 0;) {
      int const size = untyped::type_of(x).dims[axis], take = left < n - offset ? left : n - offset;
      int const start = side == 0 ? offset : size - take - offset;
      arena<handle> parts;
      handle part = untyped::rev(untyped::slice(x, axis, start, start + take), axis);
      if (odd) {
        handle const twice = untyped::binary(prim::add, edge, edge);
        part = untyped::binary(prim::sub, repeated(twice, axis, take), part);
        if (n > 1) edge = side == 0 ? untyped::slice(part, axis, 0, 1) : untyped::slice(part, axis, take - 1, take);
      }
      parts.push(side == 0 ? part : x);
      parts.push(side == 0 ? x : part);
      x = untyped::concatenate(parts, axis);
      left -= take;
    }
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
// From the end value to the edge, which is not reached: end * (1 - k / n) + edge * k / n, or without an end value edge * k / n. Integers
// are rounded down.
template <class T>
constexpr handle ramp(handle const& edge, int axis, int n, bool up, handle const* end = nullptr) {
  using F = strong_t<inexact_t<T>>;
  using part_type = real_part_t<F>;
  aval shape = untyped::type_of(edge).with_type(dtype_of<part_type>);
  if (n == 0) return untyped::slice(edge, axis, 0, 0);
  shape.dims[axis] = n;
  handle const count = untyped::iota(edge, shape, axis);
  handle const part = untyped::binary(prim::div, count, untyped::scalar<part_type>(edge, static_cast<part_type>(n)));
  handle scaled = untyped::binary(prim::mul, untyped::convert(edge, dtype_of<F>), untyped::convert(part, dtype_of<F>));
  if (end) {
    handle const rest = untyped::convert(untyped::binary(prim::sub, untyped::scalar<part_type>(edge, part_type(1)), part), dtype_of<F>);
    scaled = untyped::binary(prim::add, untyped::binary(prim::mul, untyped::convert(*end, dtype_of<F>), rest), scaled);
  }
  if (is_integer(dtype_of<T>)) scaled = untyped::unary(prim::floor, scaled);
  handle const typed = untyped::convert(scaled, dtype_of<T>, is_weak<T>);
  if (up) return typed;
  return untyped::rev(typed, axis);
}
// The middle one of the sorted elements, or the mean of the two; NaN if there is one.
template <class F>
constexpr handle median_along(handle const& x, int axis) {
  int const n = untyped::type_of(x).dims[axis], params[] = {axis, 1, 1};
  handle const sorted = untyped::record(prim::sort, x, params, untyped::type_of(x));
  handle const low = untyped::slice(sorted, axis, (n - 1) / 2, (n - 1) / 2 + 1), high = untyped::slice(sorted, axis, n / 2, n / 2 + 1);
  handle const mean = untyped::binary(prim::mul, untyped::binary(prim::add, low, high), untyped::scalar<F>(x, convert_number<F>(0.5)));
  handle const greatest = untyped::slice(sorted, axis, n - 1, n);
  return untyped::select(untyped::binary(prim::ne, greatest, greatest), mean, greatest);
}
template <class T, pad_with Mode>
constexpr handle statistic(handle const& x, int axis) {
  axis_set along;
  along.of[along.n++] = axis;
  handle of = x;
  constexpr bool computed = Mode == pad_with::mean || Mode == pad_with::median;
  if (computed) of = untyped::convert(x, dtype_of<strong_t<inexact_t<T>>>);
  prim const op = Mode == pad_with::maximum ? prim::reduce_max : Mode == pad_with::minimum ? prim::reduce_min : prim::reduce_sum;
  if constexpr (!computed) {
    return untyped::expand_dims(untyped::reduce(op, of, along), along);
  } else {
    using F = strong_t<inexact_t<T>>;
    handle mean = Mode == pad_with::median
                      ? median_along<F>(of, axis)
                      : untyped::expand_dims(untyped::binary(prim::div, untyped::reduce(op, of, along),
                                                             untyped::scalar<F>(x, static_cast<F>(untyped::type_of(x).dims[axis]))),
                                             along);
    if constexpr (is_integer(dtype_of<T>)) {
      // To the nearest whole number, halves to the even one.
      handle const down = untyped::unary(prim::floor, mean), rest = untyped::binary(prim::sub, mean, down);
      handle const up = untyped::binary(prim::add, down, untyped::scalar<F>(x, F(1))), half = untyped::scalar<F>(x, F(0.5));
      handle const odd =
          untyped::binary(prim::ne, untyped::binary(prim::rem, down, untyped::scalar<F>(x, F(2))), untyped::scalar<F>(x, F(0)));
      handle const tie = untyped::binary(prim::and_, untyped::binary(prim::eq, rest, half), odd);
      mean = untyped::select(untyped::binary(prim::or_, untyped::binary(prim::gt, rest, half), tie), down, up);
    }
    return untyped::convert(mean, dtype_of<T>, is_weak<T>);
  }
}

// Ends: the end values of this axis, or none. Lengths of 0: statistics of all elements.
template <class T, pad_with Mode, bool Odd>
constexpr handle padded_along(handle const& x, int axis, int low, int high, int low_length, int high_length, handle const* ends) {
  int const n = untyped::type_of(x).dims[axis];
  if (low == 0 && high == 0) return x;
  arena<handle> parts;
  if constexpr (Mode == pad_with::empty) {
    handle const zero = untyped::scalar<strong_t<T>>(x, strong_t<T>{}, is_weak<T>);
    parts.push(constant_block(zero, x, axis, low));
    parts.push(x);
    parts.push(constant_block(zero, x, axis, high));
    return untyped::concatenate(parts, axis);
  }
  if (n == 0) return x;
  if constexpr (Mode == pad_with::reflect || Mode == pad_with::symmetric) {
    return mirrored(x, axis, low, high, Mode == pad_with::reflect, Odd);
  } else if constexpr (Mode == pad_with::wrap) {
    return wrapped_around(x, axis, low, high);
  } else {
    if constexpr (Mode == pad_with::linear_ramp) {
      parts.push(ramp<T>(untyped::slice(x, axis, 0, 1), axis, low, true, ends));
      parts.push(x);
      parts.push(ramp<T>(untyped::slice(x, axis, n - 1, n), axis, high, false, ends ? ends + 1 : nullptr));
    } else if constexpr (Mode == pad_with::edge) {
      parts.push(repeated(untyped::slice(x, axis, 0, 1), axis, low));
      parts.push(x);
      parts.push(repeated(untyped::slice(x, axis, n - 1, n), axis, high));
    } else {
      bool const all = low_length == 0;
      handle const before =
          all || low_length > n ? statistic<T, Mode>(x, axis) : statistic<T, Mode>(untyped::slice(x, axis, 0, low_length), axis);
      handle const after = all               ? before
                           : high_length > n ? statistic<T, Mode>(x, axis)
                                             : statistic<T, Mode>(untyped::slice(x, axis, n - high_length, n), axis);
      parts.push(repeated(before, axis, low));
      parts.push(x);
      parts.push(repeated(after, axis, high));
    }
    return untyped::concatenate(parts, axis);
  }
}

}  // namespace detail

}  // namespace exprax
