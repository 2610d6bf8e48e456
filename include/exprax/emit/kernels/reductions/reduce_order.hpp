// SPDX-License-Identifier: BSL-1.0
// The order of a sum or product depends only on the number of elements, not on the layout or the pack, so that bits are the same
// everywhere: blocks of 64 elements, in each block eight sums of eight, ((0 2)(4 6))((1 3)(5 7)), added to eight accumulators, which are
// combined at the end as ((0 4)(2 6))((1 5)(3 7)).
#pragma once

#include <exprax/emit/kernels/loop.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

template <prim Op, class V>
EXPRAX_INLINE constexpr V combine(V a, V b) {
  return primitive<primitive<Op>::traits.combiner>::kernel(a, b);
}
template <prim Op, class T>
constexpr T identity_of() {
  constexpr T identity = reduction_identity<T>(primitive<Op>::traits.combiner);
  return identity;
}

// Extrema of floats, which have the same bits in every order, are joined at once: that takes fewer steps than one pair after the other.
template <prim Op, class V>
constexpr bool joins_at_once = std::is_floating_point_v<typename V::value_type> && !primitive<Op>::in_fixed_order;
template <prim Op, int N, class V>
EXPRAX_INLINE constexpr V join_at_once(V const* m) {
  return primitive<primitive<Op>::traits.combiner>::template kernel_of<N>(m);
}

// The first of the values that an accumulator gets. The sum of -0 and the identity is +0; extrema are not changed by it.
template <prim Op, class V>
EXPRAX_INLINE constexpr V begin_with(V x) {
  if constexpr (primitive<Op>::in_fixed_order) return combine<Op>(V(identity_of<Op, typename V::value_type>()), x);
  else return x;
}

// ((0 2)(4 6))((1 3)(5 7))
template <prim Op, class V>
EXPRAX_INLINE constexpr V join_eight(V const* m, int stride) {
  if constexpr (joins_at_once<Op, V>) {
    V of[8];
    for (int i = 0; i < 8; ++i) of[i] = m[i * stride];
    return join_at_once<Op, 8>(of);
  } else {
    V const even = combine<Op>(combine<Op>(m[0], m[2 * stride]), combine<Op>(m[4 * stride], m[6 * stride]));
    V const odd = combine<Op>(combine<Op>(m[stride], m[3 * stride]), combine<Op>(m[5 * stride], m[7 * stride]));
    return combine<Op>(even, odd);
  }
}

// The same of the first N elements. The others are identities: without them the bits are the same once the accumulator is added, which
// begins as the identity.
template <prim Op, int N, int A, int B, class V>
EXPRAX_INLINE constexpr V join_pair(V const* m) {
  if constexpr (B < N) return combine<Op>(m[A], m[B]);
  else return m[A];
}
template <prim Op, int N, class V>
EXPRAX_INLINE constexpr V join_some(V const* m) {
  if constexpr (N <= 1) return m[0];
  else if constexpr (joins_at_once<Op, V>) return join_at_once<Op, N>(m);
  else if constexpr (N <= 4) return combine<Op>(join_pair<Op, N, 0, 2>(m), join_pair<Op, N, 1, 3>(m));
  else if constexpr (N == 5) return combine<Op>(combine<Op>(join_pair<Op, N, 0, 2>(m), m[4]), join_pair<Op, N, 1, 3>(m));
  else
    return combine<Op>(combine<Op>(join_pair<Op, N, 0, 2>(m), join_pair<Op, N, 4, 6>(m)),
                       combine<Op>(join_pair<Op, N, 1, 3>(m), join_pair<Op, N, 5, 7>(m)));
}

// ((0 4)(2 6))((1 5)(3 7)) of the first N accumulators: the others are identities.
template <prim Op, int N, int First = 0, int Step = 1, class V>
EXPRAX_INLINE constexpr V join_first(V const* sums) {
  if constexpr (Step == 1 && N > 1 && joins_at_once<Op, V>) return join_at_once<Op, N>(sums);
  else if constexpr (Step == 8) return sums[First];
  else if constexpr (First + Step >= N) return join_first<Op, N, First, 2 * Step>(sums);
  else return combine<Op>(join_first<Op, N, First, 2 * Step>(sums), join_first<Op, N, First + Step, 2 * Step>(sums));
}

// Whether the code for the packs of a block is unrolled, or one loop: elementary functions are long.
template <class Plan, int Box>
constexpr bool is_repeated(int packs) {
  int cost = 0;
  box const& b = Plan::storage.boxes[Box];
  for (int s = b.step; s < b.step + b.n_step; ++s)
    if (Plan::storage.steps[s].kind == step_kind::compute) cost += traits_of(Plan::storage.steps[s].op).cost;
  return packs <= 16 && cost * packs <= 128;
}

}  // namespace exprax::detail
