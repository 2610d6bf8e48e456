// SPDX-License-Identifier: BSL-1.0
// The largest elements of rows, and where they stand (jax.lax.top_k).
#pragma once

#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace detail {

template <class X, int K, int Axis>
struct top_shape {
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    a.dims[Axis] = K;
    return a;
  }();
};
template <class X, int K, int Axis>
struct top_index_shape {
  static constexpr aval value = top_shape<X, K, Axis>::value.with_type(dtype::i32);
};
template <int K, int Axis>
struct top_k_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto&& v = as_traced(x);
    constexpr int axis = normal_axis(Axis, rank_in<X>);
    int const params[] = {K, axis, 1};
    return bind_several<expr_from<top_shape<X, K, axis>>, expr_from<top_index_shape<X, K, axis>>>(prim::top_k, params, {}, v);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, int K, int Axis>
inline constexpr bool has_so_many = [] {
  if (!has_axis_of_rows<X, Axis>) return true;
  return K >= 0 && K <= aval_in<X>.dims[normal_axis(Axis, rank_in<X>)];
}();

}  // namespace detail

// (values, indices) of the k largest elements along axis<i> (the last one), the largest first; of equal ones the lowest index first. [...,
// n] -> [..., K], dtype of x and int32. Floats are in total order: NaN is the largest of all, and -0 < 0. Refused: complex dtypes, an axis
// or K out of range (jax.lax.top_k).
template <int K, array_like X, int Axis = -1>
constexpr auto top_k(X const& x, axis_t<Axis> = {}) {
  static_assert(detail::has_axis_of_rows<X, Axis>, "exprax: top_k: the axis is out of range for the array");
  static_assert(!is_complex(detail::aval_in<X>.type), "exprax: top_k is not compatible with complex inputs");
  static_assert(detail::has_so_many<X, K, Axis>, "exprax: top_k: k must be between 0 and the size along the axis");
  if constexpr (detail::has_axis_of_rows<X, Axis> && detail::has_so_many<X, K, Axis> && !is_complex(detail::aval_in<X>.type))
    return detail::apply<detail::top_k_op<K, Axis>>(x);
  else return std::tuple<X, X>(x, x);
}

}  // namespace exprax
