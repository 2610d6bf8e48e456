// SPDX-License-Identifier: BSL-1.0
// Where the results of a contraction go: to memory, or, in packs, through the steps of its epilogue, the loop that reads them.
#pragma once

#include <exprax/emit/kernels/steps.hpp>

namespace exprax::detail {

// The first Count lanes of x.
template <class T, int L, int Count = L>
EXPRAX_INLINE constexpr void store_result(simd::pack<T, L> x, T* to) {
  store_lanes<T, L, 1, Count>(x, to);
}

// The place of results in the array that is not stored.
template <class Plan, int K, class Env>
struct epilogue_place {
  static constexpr int loop = Plan::storage.contracts[K].epilogue, rank = Plan::storage.loops[loop].rank;
  static constexpr int box = Plan::storage.loops[loop].box;
  static constexpr int const (&dims)[max_rank] = Plan::storage.loops[loop].dims;
  template <class T, int L>
  struct pointers : box_pointers<Plan, box, rank> {
    static constexpr int held_buffer = Plan::storage.contracts[K].out_buffer;
    simd::pack<T, L> held;
  };

  Env const& env;
  std::ptrdiff_t at = 0;

  EXPRAX_INLINE constexpr epilogue_place operator+(std::ptrdiff_t n) const { return {env, at + n}; }
};
template <class T, int L, int Count = L, class Plan, int K, class Env>
EXPRAX_INLINE constexpr void store_result(simd::pack<T, L> x, epilogue_place<Plan, K, Env> to) {
  using place = epilogue_place<Plan, K, Env>;
  constexpr int rank = place::rank;
  std::ptrdiff_t index[max_rank] = {}, rest = to.at;
  for (int i = rank - 1; i > 0; --i) {
    index[i] = rest % place::dims[i];
    rest /= place::dims[i];
  }
  index[0] = rest;
  typename place::template pointers<T, L> const at{box_pointers<Plan, place::box, rank>::template make<rank>(to.env, index), x};
  registers<Plan, place::box, L> r;
  run_all_steps<Plan, Plan::storage.boxes[place::box].step, Plan::storage.boxes[place::box].n_step, L, rank, Count, phase::all>(
      r, to.env, at, index, index[rank - 1]);
}

// Of contraction K.
template <class Plan, int K, class Env>
EXPRAX_INLINE constexpr auto place_of_results(Env const& env) {
  if constexpr (Plan::storage.contracts[K].has_epilogue()) return epilogue_place<Plan, K, Env>{env};
  else return env.template buffer<Plan::storage.contracts[K].out_buffer>();
}

}  // namespace exprax::detail
