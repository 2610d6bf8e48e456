// SPDX-License-Identifier: BSL-1.0
// Regions in lanes (plan/data/region.hpp) with divergent lanes: a loop ends when all lanes that entered it are done, a branch that no
// lane takes is skipped. Several packs may run at once, each with its own register file and a whole iteration at a time, so that
// short-lived values live in only one of them.
#pragma once

#include <exprax/emit/regions/lane_memory.hpp>

namespace exprax::detail {

template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_lane_while(R& r, Env const& env) {
  constexpr int cond = Plan::storage.tables[Plan::storage.region_steps[S].block], body = Plan::storage.tables[Plan::storage.region_steps[S].block + 1];
  auto const around = r.active;
  while (true) {
    run_region_block<Plan, L, cond>(r, env);
    r.active = r.active & r.template wide<bool>(Plan::storage.region_blocks[cond].result);
    if (!any(r.active)) break;
    run_region_block<Plan, L, body>(r, env);
  }
  r.active = around;
}

template <class Plan, int L, int S, int J, class R, class Env>
EXPRAX_INLINE constexpr void run_lane_case(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  constexpr int n = s.n_block;
  using V = simd::pack<std::int32_t, L>;
  auto const around = r.active;
  V const index = r.template wide<std::int32_t>(s.a);
  if constexpr (n > 1) {
    if constexpr (J == 0) r.active = around & (index <= V(0));
    else if constexpr (J == n - 1) r.active = around & (index >= V(n - 1));
    else r.active = around & (index == V(J));
  }
  if (any(r.active)) run_region_block<Plan, L, Plan::storage.tables[s.block + J]>(r, env);
  r.active = around;
}

template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_lane_step(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  if constexpr (s.kind == region_step_kind::load) {
    run_lane_load<Plan, L, S>(r, env);
  } else if constexpr (s.kind == region_step_kind::store) {
    run_lane_store<Plan, L, S>(r, env);
  } else if constexpr (s.kind == region_step_kind::while_loop) {
    run_lane_while<Plan, L, S>(r, env);
  } else {
    [&]<int... J>(std::integer_sequence<int, J...>) EXPRAX_LAMBDA_INLINE { (run_lane_case<Plan, L, S, J>(r, env), ...); }(std::make_integer_sequence<int, s.n_block>{});
  }
}

// ---- Several files

template <class Plan, int K, int L, int N>
struct lane_files {
  static constexpr bool lanes = true;
  static constexpr int files = N;
  static constexpr int axes = Plan::storage.regions[K].row_axes;
  static constexpr int packs_of(int) { return 1; }
  lane_registers<Plan, K, L, L * N> of[N];
  template <class T>
  EXPRAX_INLINE constexpr auto& scalar(int slot) {
    return of[0].template scalar<T>(slot);
  }
};

template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_files_control(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  if constexpr (s.kind == region_step_kind::scan) {
    for (std::ptrdiff_t i = 0; i < s.length; ++i) {
      for_packs<R::files>([&](auto p) EXPRAX_LAMBDA_INLINE { r.of[decltype(p)::value].iteration[Plan::storage.region_steps[S].depth] = i; });
      run_region_block<Plan, L, Plan::storage.tables[s.block]>(r, env);
    }
  } else if constexpr (!s.divergent) {
    run_region_control<Plan, L, S>(r, env);
  } else if constexpr (s.kind == region_step_kind::while_loop) {
    constexpr int cond = Plan::storage.tables[s.block], body = Plan::storage.tables[s.block + 1];
    simd::pack<bool, L> around[R::files];
    for_packs<R::files>([&](auto p) EXPRAX_LAMBDA_INLINE { around[decltype(p)::value] = r.of[decltype(p)::value].active; });
    while (true) {
      run_region_block<Plan, L, cond>(r, env);
      simd::pack<bool, L> some(false);
      for_packs<R::files>([&](auto p) EXPRAX_LAMBDA_INLINE {
        auto& f = r.of[decltype(p)::value];
        f.active = f.active & f.template wide<bool>(Plan::storage.region_blocks[cond].result);
        some = some | f.active;
      });
      if (!any(some)) break;
      run_region_block<Plan, L, body>(r, env);
    }
    for_packs<R::files>([&](auto p) EXPRAX_LAMBDA_INLINE { r.of[decltype(p)::value].active = around[decltype(p)::value]; });
  } else {
    for_packs<R::files>([&](auto p) EXPRAX_LAMBDA_INLINE { run_lane_step<Plan, L, S>(r.of[decltype(p)::value], env); });
  }
}
template <class Plan, int First, int N>
constexpr int straight_steps() {
  int n = 0;
  while (n < N && Plan::storage.region_steps[First + n].kind < region_step_kind::scan) ++n;
  return n;
}
template <class Plan, int L, int First, int N, class R, class Env>
EXPRAX_INLINE constexpr void run_steps_of_files(R& r, Env const& env) {
  constexpr int n = straight_steps<Plan, First, N>();
  if constexpr (n > 0) for_packs<R::files>([&](auto p) EXPRAX_LAMBDA_INLINE { run_region_steps<Plan, L, First, n>(r.of[decltype(p)::value], env); });
  if constexpr (n < N) {
    run_files_control<Plan, L, First + n>(r, env);
    if constexpr (n + 1 < N) run_steps_of_files<Plan, L, First + n + 1, N - n - 1>(r, env);
  }
}
template <class Plan, int L, int B, class R, class Env>
EXPRAX_INLINE constexpr void run_block_of_files(R& r, Env const& env) {
  constexpr region_block b = Plan::storage.region_blocks[B];
  if constexpr (b.n_step > 0) run_steps_of_files<Plan, L, b.step, b.n_step>(r, env);
  for_packs<R::files>([&](auto p) EXPRAX_LAMBDA_INLINE { run_region_moves<Plan, L, b.move, b.n_move>(r.of[decltype(p)::value]); });
}

}  // namespace exprax::detail
