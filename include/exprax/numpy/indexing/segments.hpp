// SPDX-License-Identifier: BSL-1.0
// ops::segment_sum, segment_prod, segment_max, segment_min (jax.ops): segment_sum<n>(data, ids) adds the rows of data that have the
// same id; row k of the result is that of id k, 0 <= k < n. An id out of range, a negative one too, counts for nothing; a segment
// without rows has 0, 1, the least or the largest value. Options: indices_are_sorted, unique_indices, and a mode.
#pragma once

#include <exprax/numpy/indexing/at.hpp>

namespace exprax {

namespace detail {

template <prim P, class T>
constexpr T segment_identity() {
  constexpr dtype d = dtype_of<T>;
  if constexpr (P == prim::scatter_add) return convert_number<T>(0);
  else if constexpr (P == prim::scatter_mul) return convert_number<T>(1);
  else if constexpr (is_bool(d)) return P == prim::scatter_min;
  else if constexpr (is_integer(d)) return P == prim::scatter_min ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
  else return convert_number<T>(P == prim::scatter_min ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity());
}
template <prim P, int Segments, class... Options>
struct segment_op {
  template <operand X, operand I>
  constexpr auto operator()(X const& data, I const& ids) const {
    using type = strong_t<type_in<X>>;
    using out = expr_from<resized_shape<with_dtype_t<expr_type<X>, type>, 0, Segments>>;
    auto const rows = as_expr<type>(data);
    auto const none = constant_like<out>(rows, segment_identity<P, type>());
    return at_ref<out, expr_type<I>>(none, as_traced(ids))
        .template update<P, index_options<Options..., wrap_negative_indices_t<false>>>(rows);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, class I>
inline constexpr bool has_an_id_for_each_row =
    rank_in<X> > 0 && rank_in<I> == 1 && aval_in<X>.dims[0] == aval_in<I>.dims[0] && is_integer(aval_in<I>.type);

template <prim P, int Segments, class X, class I, class... Options>
constexpr auto segments(X const& data, I const& ids, Options...) {
  static_assert(Segments >= 0,
                "exprax: segment_sum, ...: num_segments must be known while compiling: ex::ops::segment_sum<num_segments>(data, ids)");
  static_assert(has_an_id_for_each_row<X, I>, "exprax: segment_sum, ...: the ids must be one integer for each row of the data");
  if constexpr (has_an_id_for_each_row<X, I> && Segments >= 0) return apply<segment_op<P, Segments, Options...>>(data, ids);
  else return data;  // after the error: nothing that leads to others
}

}  // namespace detail

namespace ops {

// segment_sum<n>(data, ids), segment_prod, segment_max, segment_min: row k is the sum (product, largest, smallest) of the rows of data
// with id k. data [m, ...], ids [m] -> [n, ...], dtype of data. Refused: no n, ids that are not one integer for each row
// (jax.ops.segment_sum, ...).
template <int Segments = -1, array_like X, array_like I, class... Options>
constexpr auto segment_sum(X const& data, I const& ids, Options... options) {
  EXPRAX_TAKES("ops::segment_sum", "mode_..., indices_are_sorted, unique_indices", Options...)
  return detail::segments<prim::scatter_add, Segments>(data, ids, options...);
  else return data;
}
template <int Segments = -1, array_like X, array_like I, class... Options>
constexpr auto segment_prod(X const& data, I const& ids, Options... options) {
  EXPRAX_TAKES("ops::segment_prod", "mode_..., indices_are_sorted, unique_indices", Options...)
  return detail::segments<prim::scatter_mul, Segments>(data, ids, options...);
  else return data;
}
template <int Segments = -1, array_like X, array_like I, class... Options>
constexpr auto segment_max(X const& data, I const& ids, Options... options) {
  EXPRAX_TAKES("ops::segment_max", "mode_..., indices_are_sorted, unique_indices", Options...)
  return detail::segments<prim::scatter_max, Segments>(data, ids, options...);
  else return data;
}
template <int Segments = -1, array_like X, array_like I, class... Options>
constexpr auto segment_min(X const& data, I const& ids, Options... options) {
  EXPRAX_TAKES("ops::segment_min", "mode_..., indices_are_sorted, unique_indices", Options...)
  return detail::segments<prim::scatter_min, Segments>(data, ids, options...);
  else return data;
}

}  // namespace ops

}  // namespace exprax
