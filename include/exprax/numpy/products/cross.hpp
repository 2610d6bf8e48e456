// SPDX-License-Identifier: BSL-1.0
// The vector product (jax.numpy.cross).
#pragma once

#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/elementwise/arithmetic.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/shape/transpose.hpp>

namespace exprax {

namespace detail {

// Vectors of 3, or of 2, whose third number is 0; they stand in one axis, which becomes the first here.
template <int Axis>
struct cross_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    constexpr int axis_a = normal_axis(Axis, A::rank), axis_b = normal_axis(Axis, B::rank);
    auto const x = moveaxis_op<axis_a, 0>{}(a);
    auto const y = moveaxis_op<axis_b, 0>{}(b);
    auto const part = [](auto const& v, int i) { return index_read(v, i, ellipsis); };
    // x_i y_j - x_j y_i, without what a missing third number makes 0.
    constexpr bool a3 = A::extent(axis_a) == 3, b3 = B::extent(axis_b) == 3;
    auto const first = subtract(multiply(part(x, 0), part(y, 1)), multiply(part(x, 1), part(y, 0)));
    if constexpr (!a3 && !b3) {
      return first;
    } else {
      using out = std::remove_const_t<decltype(first)>;
      constexpr int rank = out::rank, to = normal_axis(Axis, rank + 1);
      out c[2];
      if constexpr (a3 && b3) {
        c[0] = subtract(multiply(part(x, 1), part(y, 2)), multiply(part(x, 2), part(y, 1)));
        c[1] = subtract(multiply(part(x, 2), part(y, 0)), multiply(part(x, 0), part(y, 2)));
      } else if constexpr (b3) {
        c[0] = multiply(part(x, 1), part(y, 2));
        c[1] = negative(multiply(part(x, 0), part(y, 2)));
      } else {
        c[0] = negative(multiply(part(x, 2), part(y, 1)));
        c[1] = multiply(part(x, 2), part(y, 0));
      }
      return stack_op<to>{}(c[0], c[1], first);
    }
  }
};
template <int Axis>
struct cross_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<cross_body<Axis>>("cross", a, b);
  }
};

// Conditions of static_asserts: compilers print the types.
template <int Axis, class X>
inline constexpr bool holds_vectors_of_2_or_3 = [] {
  if constexpr (!normal_axes<Axis>(rank_in<X>).valid) {
    return false;
  } else {
    constexpr int n = aval_in<X>.dims[normal_axis(Axis, rank_in<X>)];
    return n == 2 || n == 3;
  }
}();

}  // namespace detail

// The vector product of the vectors of 2 or 3 in axis<k> (the last one); the other axes broadcast. [..., 3], [..., 3] -> [..., 3]; of two
// vectors of 2 the one number that is left: [...]. The promoted dtype. Refused: other sizes of the axis (jax.numpy.cross).
inline constexpr struct cross_function {
  template <array_like A, array_like B, int Axis = -1>
  constexpr auto operator()(A const& a, B const& b, axis_t<Axis> = {}) const {
    static_assert(detail::holds_vectors_of_2_or_3<Axis, A> && detail::holds_vectors_of_2_or_3<Axis, B>,
                  "exprax: cross: dimension must be either 2 or 3 for cross product");
    return detail::apply<detail::cross_op<Axis>>(a, b);
  }
  EXPRAX_REFUSES_NUMBERS("cross", "an axis is part of a type: write ex::cross(x, y, ex::axis<0>)")
} cross{};

}  // namespace exprax
