// SPDX-License-Identifier: BSL-1.0
// What the kernels of contractions share: the walks of a plan, and the operations of the sum.
//
// The order is fixed for each element. Sequential: the first product, then fused multiply-adds, k ascending. Blocked (vectors and a few
// columns, and whatever they become under vmap): 32 accumulators, k to accumulator k mod 32, folded in halves.
#pragma once

#include <exprax/emit/kernels/joined_lanes.hpp>
#include <exprax/emit/kernels/loop.hpp>

namespace exprax::detail {

template <class Plan, int K>
struct contraction {
  static constexpr contract_walks walks = Plan::storage.contracts[K].walks;
  static constexpr contract_tiles tiles = Plan::storage.contracts[K].tiles;
  static constexpr bool blocked = Plan::storage.contracts[K].blocked;
  using type = element_t<Plan::storage.contracts[K].type>;
  // The rows of the result that tiles have, and the strides along them in the operand that is broadcast and in the result.
  static constexpr std::ptrdiff_t rows = tiles.has_rows ? walks.dims[tiles.row] : 1;
  static constexpr std::ptrdiff_t row_of_operand = !tiles.has_rows ? 0 : tiles.from_lhs ? walks.rhs[tiles.row] : walks.lhs[tiles.row];
  static constexpr std::ptrdiff_t row_of_out = tiles.has_rows ? walks.out[tiles.row] : 0;
  static constexpr int panel_width = 0;  // of the copied strip that is read in place of the operand with columns (dot_block_panels.hpp)
};

template <class T, int L>
EXPRAX_INLINE constexpr simd::pack<T, L> multiply_add(simd::pack<T, L> a, simd::pack<T, L> b, simd::pack<T, L> c) {
  if constexpr (std::is_same_v<T, bool>) return c | (a & b);
  else return mul_add(a, b, c);
}
template <class T, int L>
EXPRAX_INLINE constexpr simd::pack<T, L> product(simd::pack<T, L> a, simd::pack<T, L> b) {
  if constexpr (std::is_same_v<T, bool>) return a & b;
  else return a * b;
}
template <class T, int L>
EXPRAX_INLINE constexpr simd::pack<T, L> plus(simd::pack<T, L> a, simd::pack<T, L> b) {
  if constexpr (std::is_same_v<T, bool>) return a | b;
  else return a + b;
}

// Calls f(lhs offset, rhs offset) for each k, row-major.
template <class C, int Axis, class F>
EXPRAX_INLINE constexpr void for_contracting(std::ptrdiff_t l, std::ptrdiff_t r, F const& f) {
  constexpr int axis = C::walks.out_rank + Axis;
  if constexpr (Axis >= C::walks.k_rank) {
    f(l, r);
  } else {
    for (std::ptrdiff_t k = 0; k < C::walks.dims[axis]; ++k)
      for_contracting<C, Axis + 1>(l + k * C::walks.lhs[axis], r + k * C::walks.rhs[axis], f);
  }
}

// The same without the first k.
template <class C, int Axis, class F>
EXPRAX_INLINE constexpr void for_contracting_but_first(std::ptrdiff_t l, std::ptrdiff_t r, F const& f) {
  constexpr int axis = C::walks.out_rank + Axis;
  if constexpr (Axis < C::walks.k_rank) {
    for_contracting_but_first<C, Axis + 1>(l, r, f);
    for (std::ptrdiff_t k = 1; k < C::walks.dims[axis]; ++k)
      for_contracting<C, Axis + 1>(l + k * C::walks.lhs[axis], r + k * C::walks.rhs[axis], f);
  }
}

// The axes of the result that are neither packs nor rows of a tile.
template <class C, int Axis, class F>
EXPRAX_INLINE constexpr void for_tiles(std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o, F const& f, bool inner) {
  if constexpr (Axis >= C::walks.out_rank) {
    f(l, r, o);
  } else {
    if (inner && (Axis == C::tiles.column || (C::tiles.has_rows && Axis == C::tiles.row))) return for_tiles<C, Axis + 1>(l, r, o, f, inner);
    for (std::ptrdiff_t i = 0; i < C::walks.dims[Axis]; ++i)
      for_tiles<C, Axis + 1>(l + i * C::walks.lhs[Axis], r + i * C::walks.rhs[Axis], o + i * C::walks.out[Axis], f, inner);
  }
}

template <class V, int N>
EXPRAX_INLINE constexpr void fold_accumulators(V* sums) {
  if constexpr (N > 1) {
    for (int i = 0; i < N / 2; ++i) sums[i] = plus<typename V::value_type, V::size>(sums[i], sums[i + N / 2]);
    fold_accumulators<V, N / 2>(sums);
  }
}

// The sums, by halves, of the lanes of each of Count packs, pack(i), in the first lanes. Count: a power of two.
template <class T, int L, int Count, class F>
EXPRAX_INLINE simd::pack<T, L> lane_sums(F const& pack) {
  return joined_lanes<T, L, Count>(pack, [](auto a, auto b) EXPRAX_LAMBDA_INLINE { return plus<T, L>(a, b); });
}

}  // namespace exprax::detail
