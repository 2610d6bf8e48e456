// SPDX-License-Identifier: BSL-1.0
// What the lanes of packs hold of the elements of a reduction that they have seen: a value, or the best value and its index.
#pragma once

#include <exprax/emit/kernels/reductions/reduction_packs.hpp>

namespace exprax::detail {

template <class Plan, int R, int L, bool FindsIndex = is_argument_reduction(reduction_traits<Plan, R>::op)>
struct accumulator {
  using traits = reduction_traits<Plan, R>;
  using V = simd::pack<typename traits::T, L>;
  static constexpr bool in_any_order = !traits::in_fixed_order;
  V value;

  // The first N elements, of which the first one is the element `first` along the axis; the next N.
  template <int N>
  EXPRAX_INLINE constexpr void begin(V const* of, std::ptrdiff_t) {
    value = begin_with<traits::op>(join_some<traits::op, N>(of));
  }
  template <int N>
  EXPRAX_INLINE constexpr void add(V const* of, std::ptrdiff_t) {
    value = combine<traits::op>(value, join_some<traits::op, N>(of));
  }
  EXPRAX_INLINE constexpr V result() const { return value; }
};

template <class Plan, int R, int L>
struct accumulator<Plan, R, L, true> {
  using traits = reduction_traits<Plan, R>;
  using V = simd::pack<typename traits::T, L>;
  using I = simd::pack<typename traits::result, L>;
  static constexpr bool in_any_order = true;
  V best;
  I index;

  // With the worst that there is, at an index that no element of the lane comes before.
  EXPRAX_INLINE constexpr void begin(I at) {
    best = V(traits::identity);
    index = at;
  }
  template <int N>
  EXPRAX_INLINE constexpr void begin(V const* of, std::ptrdiff_t first) {
    best = of[0];
    index = at(first);
    add<N - 1>(of + 1, first + 1);
  }
  template <int N>
  EXPRAX_INLINE constexpr void add(V const* of, std::ptrdiff_t first) {
    for (int i = 0; i < N; ++i) add(of[i], at(first + i));
  }
  EXPRAX_INLINE constexpr void add(V x, I at) {
    auto const is_better = primitive<traits::op>::is_better(x, best);
    best = select(is_better, x, best);
    index = select(is_better, at, index);
  }
  EXPRAX_INLINE constexpr I result() const { return index; }

 private:
  EXPRAX_INLINE static constexpr I at(std::ptrdiff_t i) { return I(static_cast<typename traits::result>(i)); }
};

// N accumulators of each reduction of a kernel.
template <class Plan, int L, int N, int R>
struct accumulators_of_reduction {
  accumulator<Plan, R, L> of[N];
};
template <class Plan, int L, int N, class Reductions>
struct accumulators;
template <class Plan, int L, int N, int... R>
struct accumulators<Plan, L, N, std::integer_sequence<int, R...>> : accumulators_of_reduction<Plan, L, N, R>... {
  static constexpr bool in_any_order = (accumulator<Plan, R, L>::in_any_order && ...);
  template <int I>
  EXPRAX_INLINE constexpr auto* of() {
    return static_cast<accumulators_of_reduction<Plan, L, N, I>&>(*this).of;
  }
};

// The result of at most 16 elements.
template <class Plan, int R, int L, int N>
EXPRAX_INLINE constexpr auto result_of_few(typename accumulator<Plan, R, L>::V* of) {
  using of_lanes = accumulator<Plan, R, L>;
  constexpr prim op = reduction_traits<Plan, R>::op;
  constexpr int first = N < 8 ? N : 8;
  if constexpr (of_lanes::in_any_order) {
    of_lanes all;
    all.template begin<first>(of, 0);
    if constexpr (N > first) all.template add<N - first>(of + first, first);
    return all.result();
  } else {
    for (int j = 0; j < N - first; ++j) of[j] = combine<op>(of[j], of[first + j]);
    for (int j = 0; j < first; ++j) of[j] = begin_with<op>(of[j]);
    return join_first<op, first>(of);
  }
}

}  // namespace exprax::detail
