// SPDX-License-Identifier: BSL-1.0
// Partial orders (jax.numpy): partition and argpartition, along the last axis or axis<k>.
#pragma once

#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace detail {

// jax.numpy.partition: the smallest kth + 1, by top_k of the opposite numbers, then the largest of all. Arguments: the indices, by
// top_k of the same and of those that are left.
template <int Kth, int Axis, bool Arguments>
struct partition_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    constexpr int at = normal_axis(Axis, X::rank), n = X::extent(at), kth = Kth < 0 ? Kth + n : Kth;
    auto const rows = swapaxes<at, -1>(x);
    auto const smallest = top_k<kth + 1>(opposite(rows));
    if constexpr (Arguments) {
      auto const first = std::get<1>(smallest);
      auto const left = put_along_axis(ones_like(astype<float>(rows)), first, 0.0f, axis<-1>);
      return swapaxes<at, -1>(joined<X::rank - 1>(first, std::get<1>(top_k<n - kth - 1>(left))));
    } else {
      return swapaxes<at, -1>(joined<X::rank - 1>(opposite(std::get<0>(smallest)), std::get<0>(top_k<n - kth - 1>(rows))));
    }
  }

 private:
  template <class V>
  static constexpr auto opposite(V const& v) {
    if constexpr (is_unsigned_integer(V::type.type)) return ~v;
    else return -v;
  }
};
template <int Kth, int Axis, bool Arguments>
struct partition_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<partition_body<Kth, Axis, Arguments>>(Arguments ? "argpartition" : "partition", x);
  }
};
template <class X, int Kth, int Axis>
inline constexpr bool has_kth = [] {
  if (!has_axis_of_rows<X, Axis>) return true;
  int const n = aval_in<X>.dims[normal_axis(Axis, rank_in<X>)];
  return Kth >= -n && Kth < n;
}();

}  // namespace detail

// A partial order along axis<k> (the last one): element kth is the one that sorting puts there, no larger ones stand before it, no smaller
// ones behind it. Shape and dtype of x; negative kth count from the end. Refused: complex dtypes, kth or the axis out of range
// (jax.numpy.partition).
template <int Kth, array_like X, int Axis = -1>
constexpr auto partition(X const& x, axis_t<Axis> = {}) {
  static_assert(detail::has_axis_of_rows<X, Axis>, "exprax: partition: the axis is out of range for the array");
  static_assert(!is_complex(detail::aval_in<X>.type), "exprax: partition for complex dtypes is not implemented, as in JAX");
  static_assert(detail::has_kth<X, Kth, Axis>, "exprax: partition: kth is out of range for the axis");
  return detail::apply<detail::partition_op<Kth, Axis, false>>(x);
}
// The indices of such an order: int32, of x's shape. Refused as in partition (jax.numpy.argpartition).
template <int Kth, array_like X, int Axis = -1>
constexpr auto argpartition(X const& x, axis_t<Axis> = {}) {
  static_assert(detail::has_axis_of_rows<X, Axis>, "exprax: argpartition: the axis is out of range for the array");
  static_assert(!is_complex(detail::aval_in<X>.type), "exprax: argpartition for complex dtypes is not implemented, as in JAX");
  static_assert(detail::has_kth<X, Kth, Axis>, "exprax: argpartition: kth is out of range for the axis");
  return detail::apply<detail::partition_op<Kth, Axis, true>>(x);
}

}  // namespace exprax
