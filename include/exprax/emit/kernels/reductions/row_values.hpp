// SPDX-License-Identifier: BSL-1.0
// The values of a row that is reduced, in packs along it.
#pragma once

#include <exprax/emit/kernels/loop.hpp>

namespace exprax::detail {

// Whether a kernel stores more than its results, which are the last stores of its box.
template <class Plan, int K>
constexpr bool stores_operand() {
  box const& b = Plan::storage.boxes[Plan::storage.reduces[K].box];
  int stores = 0;
  for (int s = b.step; s < b.step + b.n_step; ++s) stores += Plan::storage.steps[s].kind == step_kind::store;
  return stores > Plan::storage.reduces[K].n_reduction;
}

// The values of a row of what is reduced, in packs. Where an operand is a result as well, reading a pack stores it.
template <class Plan, int K, int L, class Env>
struct row_values {
  static constexpr reduce_kernel k = Plan::storage.reduces[K];
  static constexpr box b = Plan::storage.boxes[k.box];
  static constexpr bool stores = stores_operand<Plan, K>();
  static constexpr int steps = b.n_step - b.n_row - (stores ? k.n_reduction : 0);
  static constexpr phase how = stores ? phase::all : phase::compute;
  using pointers = box_pointers<Plan, k.box, k.rank>;
  Env const& env;
  std::ptrdiff_t const* index;
  pointers at;
  registers<Plan, k.box, L> r;

  EXPRAX_INLINE constexpr row_values(Env const& e, std::ptrdiff_t const* i) : env(e), index(i), at(pointers::template make<k.rank>(e, i)) {
    run_all_steps<Plan, b.step, b.n_row, L, k.rank, L, phase::compute>(r, env, at, index, 0);
  }
  // The packs that begin at x, of whose lanes the first N are in the row.
  template <int N = L>
  EXPRAX_INLINE constexpr auto& read(std::ptrdiff_t x) {
    run_all_steps<Plan, b.step + b.n_row, steps, L, k.rank, N, how>(r, env, at, index, x);
    return r;
  }
};

}  // namespace exprax::detail
