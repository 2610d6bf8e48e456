// SPDX-License-Identifier: BSL-1.0
// The lanes of several packs, joined by halves: a pack of results, one of each pack.
#pragma once

#include <utility>

#include <exprax/emit/simd/pack.hpp>

namespace exprax::detail {

// The halves of the groups of lanes of two packs.
template <class T, int L, int Group, class Join, int... I>
EXPRAX_INLINE simd::pack<T, L> folded_groups(simd::pack<T, L> a, simd::pack<T, L> b, Join const& join, std::integer_sequence<int, I...>) {
  constexpr int h = Group / 2;
  return join(permute<(I / h * Group + I % h)...>(a, b), permute<(I / h * Group + I % h + h)...>(a, b));
}
// Of each of Count packs, pack(i), in the first lanes. Count: a power of two.
template <class T, int L, int Count, int First = 0, int Group = 1, class F, class Join>
EXPRAX_INLINE simd::pack<T, L> joined_lanes(F const& pack, Join const& join) {
  constexpr std::make_integer_sequence<int, L> lanes{};
  if constexpr (Group == L) {
    return pack(std::integral_constant<int, First>());
  } else if constexpr (Count * Group == L) {
    return folded_groups<T, L, 2 * Group>(joined_lanes<T, L, Count / 2, First, 2 * Group>(pack, join),
                                          joined_lanes<T, L, Count / 2, First + Count / 2, 2 * Group>(pack, join), join, lanes);
  } else {
    auto const v = joined_lanes<T, L, Count, First, 2 * Group>(pack, join);
    return folded_groups<T, L, 2 * Group>(v, v, join, lanes);
  }
}

}  // namespace exprax::detail
