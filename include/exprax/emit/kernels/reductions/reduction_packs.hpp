// SPDX-License-Identifier: BSL-1.0
// The reductions of one kernel: their values come from the same steps.
#pragma once

#include <exprax/emit/kernels/reductions/reduce_order.hpp>

namespace exprax::detail {

// The indices of the reductions of kernel K in the plan.
template <int First, int... I>
constexpr auto indices_from(std::integer_sequence<int, I...>) -> std::integer_sequence<int, First + I...>;
template <class Plan, int K>
using reductions_of = decltype(indices_from<Plan::storage.reduces[K].reduction>(
    std::make_integer_sequence<int, Plan::storage.reduces[K].n_reduction>{}));

// Calls f(index) for each, where the index is a constant.
template <class F, int... R>
EXPRAX_INLINE constexpr void for_each_reduction(std::integer_sequence<int, R...>, F const& f) {
  (f(std::integral_constant<int, R>{}), ...);
}

template <class Plan, int R>
struct reduction_traits {
  static constexpr prim op = Plan::storage.reductions[R].op;
  using T = element_t<Plan::storage.reductions[R].type>;  // of the operand
  using result = element_t<Plan::storage.buffers[Plan::storage.accesses[Plan::storage.reductions[R].out].buffer].type>;
  static constexpr bool in_fixed_order = has_fixed_order(op, Plan::storage.reductions[R].type);
  static constexpr T identity = identity_of<op, T>();
};

// Where reduction R of kernel K stores the result of a row.
template <class Plan, int K, int R, class Env>
EXPRAX_INLINE constexpr auto* result_of_row(Env const& env, std::ptrdiff_t const* index) {
  constexpr int out = Plan::storage.reductions[R].out;
  return env.template buffer<Plan::storage.accesses[out].buffer>() + row_offset<Plan, out, Plan::storage.reduces[K].rank>(env, index);
}

// N packs of L elements for each reduction.
template <class Plan, int L, int N, int R>
struct packs_of_reduction {
  simd::pack<typename reduction_traits<Plan, R>::T, L> of[N];
};
template <class Plan, int L, int N, class Reductions>
struct reduction_packs;
template <class Plan, int L, int N, int... R>
struct reduction_packs<Plan, L, N, std::integer_sequence<int, R...>> : packs_of_reduction<Plan, L, N, R>... {
  template <int I>
  EXPRAX_INLINE constexpr auto* of() {
    return static_cast<packs_of_reduction<Plan, L, N, I>&>(*this).of;
  }
  EXPRAX_INLINE constexpr void set_identities() {
    for_each_reduction(std::integer_sequence<int, R...>(), [&](auto r) EXPRAX_LAMBDA_INLINE {
      using traits = reduction_traits<Plan, r>;
      for (int i = 0; i < N; ++i) this->template of<r>()[i] = simd::pack<typename traits::T, L>(traits::identity);
    });
  }
  // Pack i of each: the values in the registers of the box.
  template <class Registers>
  EXPRAX_INLINE constexpr void set(int i, Registers& values) {
    ((of<R>()[i] = values.template file<typename reduction_traits<Plan, R>::T>()[Plan::storage.reductions[R].result]), ...);
  }
  // The same, combined with what is there.
  template <class Registers>
  EXPRAX_INLINE constexpr void add(int i, Registers& values) {
    ((of<R>()[i] = combine<reduction_traits<Plan, R>::op>(
          of<R>()[i], values.template file<typename reduction_traits<Plan, R>::T>()[Plan::storage.reductions[R].result])),
     ...);
  }
};

// f(p) for the N packs of a block, of a box whose steps are written once for each pack, or in a loop.
template <class Plan, int Box, int N, class F>
EXPRAX_INLINE constexpr void for_packs_of_block(F const& f) {
  if constexpr (is_repeated<Plan, Box>(N)) {
    [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE { (f(P), ...); }(std::make_integer_sequence<int, N>{});
  } else {
    for (int p = 0; p < N; ++p) f(p);
  }
}

}  // namespace exprax::detail
