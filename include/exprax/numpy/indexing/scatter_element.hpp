// SPDX-License-Identifier: BSL-1.0
// The equations of an update of one element at an index vector that is known, in few constexpr steps, as loops that are unrolled while
// tracing write thousands: each number of the vector as i32[1], their concatenation if there are several, and the scatter.
#pragma once

#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/primitives/indexed/index_vectors.hpp>

namespace exprax::detail {

// The window is one element: all axes are indexed, and the update has none.
template <int Rank>
inline constexpr param_list element_scatter_params = [] {
  param_list l;
  l.push(0);
  for (int list = 0; list < 2; ++list) {
    l.push(Rank);
    for (int i = 0; i < Rank; ++i) l.push(i);
  }
  for (int x : {1, 1, static_cast<int>(index_mode::fill_or_drop), 0, 0}) l.push(x);
  return l;
}();

template <prim P, class T, int... D, int... K>
constexpr expr<T, D...> scatter_element_slowly(expr<T, D...> const& x, expr<T> const& v, int const* at, std::integer_sequence<int, K...>) {
  constexpr int rank = static_cast<int>(sizeof...(D)), axis = 0, one = 1;
  handle const to = expr_access::get(x);
  arena<handle> parts;
  (parts.push(
       equation(prim::broadcast_in_dim, scalar_handle<std::int32_t>(to, at[K] < 0 ? at[K] + D : at[K]), {&one, 1}, aval(dtype::i32, {1}))),
   ...);
  // Not with ?:, after which g++ 12 destroys a handle twice in constant evaluation.
  if (rank > 1) parts[0] = equation(prim::concatenate, parts, {&axis, 1}, aval(dtype::i32, {rank}));
  handle const in[] = {to, parts[0], expr_access::get(v)};
  return expr_access::make<expr<T, D...>>(equation(P, in, element_scatter_params<rank>, expr<T, D...>::type));
}

// at: an index for each axis; a negative one counts from the end.
template <prim P, class T, int... D, int... K, int... N>
constexpr expr<T, D...> scatter_element(expr<T, D...> const& x, expr<T> const& v, int const* at, std::integer_sequence<int, K...> axes,
                                        std::integer_sequence<int, N...>) {
  constexpr int rank = static_cast<int>(sizeof...(D)), vector = rank == 1 ? 1 : 2 * rank, last = vector + 1;
  constexpr param_list const& numbers = element_scatter_params<rank>;
  static_assert(sizeof...(N) == numbers.n);
  using scalar = expr<std::int32_t>;
  using part = expr<std::int32_t, 1>;
  using whole = expr<std::int32_t, rank>;
  handle const to = expr_access::get(x), from = expr_access::get(v);
  tape* const t = to.on;
  if (t->into || from.on != t || (t->left -= last + 1) < 0) return scatter_element_slowly<P>(x, v, at, axes);
  int const first = t->values.n,
            i32 = t->keys[slot_of<scalar>] == key_of<scalar> ? t->key_types[slot_of<scalar>] : t->find_static_type(scalar::type),
            i32_1 = t->keys[slot_of<part>] == key_of<part> ? t->key_types[slot_of<part>] : t->find_static_type(part::type);
  return expr_access::make<expr<T, D...>>(
      t, (((t->constants.at[t->constants.n] = static_cast<std::uint64_t>(static_cast<std::int64_t>(at[K] < 0 ? at[K] + D : at[K])),
            t->values.at[first + 2 * K] = {i32, t->constants.n++}, t->values.at[first + 2 * K + 1] = {i32_1, no_constant},
            t->pending.at[t->pending.n++] = {prim::broadcast_in_dim, t->refs.n, 1, first + 2 * K + 1, 1, t->params.n, 1, 0, 0},
            t->refs.at[t->refs.n++] = first + 2 * K, t->params.at[t->params.n++] = 1),
           ...),
          rank == 1 ? 0
                    : (t->values.at[first + vector] = {t->keys[slot_of<whole>] == key_of<whole> ? t->key_types[slot_of<whole>]
                                                                                                : t->find_static_type(whole::type),
                                                       no_constant},
                       t->pending.at[t->pending.n++] = {prim::concatenate, t->refs.n, rank, first + vector, 1, t->params.n, 1, 0, 0},
                       ((t->refs.at[t->refs.n++] = first + 2 * K + 1), ...), t->params.at[t->params.n++] = 0),
          t->values.at[first + last] = {t->values.at[to.id].type, no_constant},
          t->pending.at[t->pending.n++] = {P, t->refs.n, 3, first + last, 1, t->params.n, numbers.n, 0, 0}, t->refs.at[t->refs.n++] = to.id,
          t->refs.at[t->refs.n++] = first + vector, t->refs.at[t->refs.n++] = from.id, ((t->params.at[t->params.n++] = numbers.at[N]), ...),
          t->values.n = first + last + 1, first + last));
}

}  // namespace exprax::detail
