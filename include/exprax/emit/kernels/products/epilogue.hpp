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
// Where a tile begins: its packs are at constant distances.
template <class T>
EXPRAX_INLINE constexpr T* begin_tile(T* out) {
  return out;
}

// The place of results in the array that is not stored: `first` is where the tile begins, and the pack is `apart` from it.
template <class Plan, int K, class Env>
struct epilogue_place {
  static constexpr contract_kernel const& kernel = Plan::storage.contracts[K];
  static constexpr loop_kernel const& loop = Plan::storage.loops[kernel.epilogue];
  static constexpr int rank = loop.rank, box = loop.box;
  static constexpr std::ptrdiff_t row = loop.dims[rank - 1];
  // Whether a pack that is `apart` from another in a tile has an index along the last axis that is the sum of both.
  static constexpr bool has_rows = [] {
    contract_tiles const& t = kernel.tiles;
    if (t.method != contract_method::tiles) return false;
    return row == kernel.walks.dims[t.column] || !t.has_rows || kernel.walks.out[t.row] % row == 0;
  }();
  template <class T, int L>
  struct pointers : box_pointers<Plan, box, rank> {
    static constexpr int held_buffer = kernel.out_buffer;
    simd::pack<T, L> held;
  };

  Env const& env;
  std::ptrdiff_t first = 0, apart = 0;

  EXPRAX_INLINE constexpr epilogue_place operator+(std::ptrdiff_t n) const { return {env, first, apart + n}; }
};
template <class Plan, int K, class Env>
EXPRAX_INLINE constexpr auto begin_tile(epilogue_place<Plan, K, Env> out) {
  return epilogue_place<Plan, K, Env>{out.env, out.first + out.apart};
}
template <class T, int L, int Count = L, class Plan, int K, class Env>
EXPRAX_INLINE constexpr void store_result(simd::pack<T, L> x, epilogue_place<Plan, K, Env> to) {
  using place = epilogue_place<Plan, K, Env>;
  constexpr int rank = place::rank;
  std::ptrdiff_t const first = place::has_rows ? to.first : to.first + to.apart, apart = place::has_rows ? to.apart : 0;
  std::ptrdiff_t index[max_rank] = {first + apart};
  if constexpr (rank > 1) {
    index[rank - 1] = first % place::row + apart % place::row;
    index[0] = first / place::row + apart / place::row;
    for (int i = rank - 2; i > 0; --i) {
      index[i] = index[0] % place::loop.dims[i];
      index[0] /= place::loop.dims[i];
    }
  }
  typename place::template pointers<T, L> const at{box_pointers<Plan, place::box, rank>::template make<rank>(to.env, index), x};
  registers<Plan, place::box, L> r;
  run_all_steps<Plan, Plan::storage.boxes[place::box].step, Plan::storage.boxes[place::box].n_step, L, rank, Count, phase::all>(
      r, to.env, at, index, index[rank - 1]);
}

// Of contraction K.
template <class Plan, int K, class Env>
EXPRAX_INLINE constexpr auto place_of_results(Env const& env) {
  if constexpr (Plan::storage.contracts[K].has_epilogue())
    return epilogue_place<Plan, K, Env>{env};
  else
    return env.template buffer<Plan::storage.contracts[K].out_buffer>();
}

}  // namespace exprax::detail
