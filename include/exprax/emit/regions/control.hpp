// SPDX-License-Identifier: BSL-1.0
// Blocks, loops and branches of a region (plan/data/region.hpp). Where lanes diverge, a loop ends when all lanes that entered it are done,
// and a branch that no lane takes is skipped.
#pragma once

#include <exprax/emit/regions/steps.hpp>

namespace exprax::detail {

template <class Plan, int L, int B, class R, class Env>
EXPRAX_INLINE constexpr void run_region_block(R& r, Env const& env);

// ---- Branches

template <class Plan, int L, int First, int N, int I, class R, class Env>
EXPRAX_INLINE constexpr void run_region_case(R& r, Env const& env, std::int64_t index) {
  if constexpr (I + 1 >= N) {
    run_region_block<Plan, L, Plan::storage.tables[First + I]>(r, env);
  } else {
    if (index <= I) run_region_block<Plan, L, Plan::storage.tables[First + I]>(r, env);
    else run_region_case<Plan, L, First, N, I + 1>(r, env, index);
  }
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
EXPRAX_INLINE constexpr void run_lane_cases(R& r, Env const& env) {
  constexpr int n = Plan::storage.region_steps[S].n_block;
  [&]<int... J>(std::integer_sequence<int, J...>) EXPRAX_LAMBDA_INLINE { (run_lane_case<Plan, L, S, J>(r, env), ...); }
  (std::make_integer_sequence<int, n>{});
}

// ---- Loops

template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_region_scan(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  for (std::ptrdiff_t i = 0; i < s.length; ++i) {
    for_files(r, [&](auto& f, auto) EXPRAX_LAMBDA_INLINE { f.iteration[Plan::storage.region_steps[S].depth] = i; });
    run_region_block<Plan, L, Plan::storage.tables[s.block]>(r, env);
  }
}
// True while a lane is active; the condition's lanes that are false leave.
template <class Plan, int Cond, class R>
EXPRAX_INLINE constexpr bool stay_active(R& r) {
  constexpr int slot = Plan::storage.region_blocks[Cond].result;
  if constexpr (R::files == 1) {
    r.active = r.active & r.template wide<bool>(slot);
    return any(r.active);
  } else {
    decltype(r.of[0].active) some(false);
    for_files(r, [&](auto& f, auto) EXPRAX_LAMBDA_INLINE {
      f.active = f.active & f.template wide<bool>(slot);
      some = some | f.active;
    });
    return any(some);
  }
}
template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_region_while(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  constexpr int cond = Plan::storage.tables[s.block], body = Plan::storage.tables[s.block + 1];
  if constexpr (s.divergent) {
    simd::pack<bool, L> around[R::files];
    for_files(r, [&](auto& f, auto k) EXPRAX_LAMBDA_INLINE { around[decltype(k)::value] = f.active; });
    while (true) {
      run_region_block<Plan, L, cond>(r, env);
      if (!stay_active<Plan, cond>(r)) break;
      run_region_block<Plan, L, body>(r, env);
    }
    for_files(r, [&](auto& f, auto k) EXPRAX_LAMBDA_INLINE { f.active = around[decltype(k)::value]; });
  } else {
    while (true) {
      run_region_block<Plan, L, cond>(r, env);
      if (!r.template scalar<bool>(Plan::storage.region_blocks[cond].result).value) break;
      run_region_block<Plan, L, body>(r, env);
    }
  }
}

template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_region_control(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  if constexpr (s.kind == region_step_kind::scan) {
    run_region_scan<Plan, L, S>(r, env);
  } else if constexpr (s.kind == region_step_kind::while_loop) {
    run_region_while<Plan, L, S>(r, env);
  } else if constexpr (s.divergent) {
    for_files(r, [&](auto& f, auto) EXPRAX_LAMBDA_INLINE { run_lane_cases<Plan, L, S>(f, env); });
  } else {
    run_region_case<Plan, L, s.block, s.n_block, 0>(r, env, r.template scalar<std::int32_t>(s.a).value);
  }
}

// ---- Blocks

template <class Plan, int First, int N>
constexpr int straight_steps() {
  int n = 0;
  while (n < N && Plan::storage.region_steps[First + n].kind < region_step_kind::scan) ++n;
  return n;
}
// In all register files. Scalars are the same in all of them.
template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_straight_step_in_files(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  using T = element_t<s.type>;
  if constexpr (s.n != 1 || is_memory(s.kind)) {
    for_files(r, [&](auto& f, auto) EXPRAX_LAMBDA_INLINE { run_straight_step<Plan, L, S>(f, env); });
  } else {
    run_straight_step<Plan, L, S>(r.of[0], env);
    constexpr int slot = s.d;
    for_packs<R::files - 1>([&](auto k) EXPRAX_LAMBDA_INLINE {
      r.of[decltype(k)::value + 1].template scalar<T>(slot) = r.of[0].template scalar<T>(slot);
    });
  }
}
template <class Plan, int L, int First, int N, class R, class Env>
EXPRAX_INLINE constexpr void run_straight_steps(R& r, Env const& env) {
  constexpr int n = N < chunk_size ? N : chunk_size;
  [&]<int... S>(std::integer_sequence<int, S...>) EXPRAX_LAMBDA_INLINE {
    if constexpr (R::files == 1) (run_straight_step<Plan, L, First + S>(r, env), ...);
    else (run_straight_step_in_files<Plan, L, First + S>(r, env), ...);
  }(std::make_integer_sequence<int, n>{});
  if constexpr (N > n) run_straight_steps<Plan, L, First + n, N - n>(r, env);
}
template <class Plan, int L, int First, int N, class R, class Env>
EXPRAX_INLINE constexpr void run_region_steps(R& r, Env const& env) {
  constexpr int n = straight_steps<Plan, First, N>();
  if constexpr (n > 0 && !R::whole_iterations) run_straight_steps<Plan, L, First, n>(r, env);
  else if constexpr (n > 0) for_files(r, [&](auto& f, auto) EXPRAX_LAMBDA_INLINE { run_straight_steps<Plan, L, First, n>(f, env); });
  if constexpr (n < N) {
    run_region_control<Plan, L, First + n>(r, env);
    if constexpr (n + 1 < N) run_region_steps<Plan, L, First + n + 1, N - n - 1>(r, env);
  }
}
// All moves happen at once: one may read what another writes.
template <class Plan, int L, int First, int N, class R>
EXPRAX_INLINE constexpr void run_region_moves(R& r) {
  if constexpr (N > 0) {
    constexpr region_move m = Plan::storage.region_moves[First];
    using T = element_t<m.type>;
    if constexpr (m.n == 1) {
      simd::pack<T, 1> const next = r.template scalar<T>(m.from);
      run_region_moves<Plan, L, First + 1, N - 1>(r);
      r.template scalar<T>(m.to) = next;
    } else {
      constexpr int packs = R::packs_of(m.n);
      simd::pack<T, L> next[packs];
      for_packs<packs>(
          [&](auto k) EXPRAX_LAMBDA_INLINE { next[decltype(k)::value] = r.template read<T, m.wide_from>(m.from, decltype(k)::value); });
      if constexpr (m.divergent) next[0] = select(r.active, next[0], r.template wide<T>(m.to, 0));
      run_region_moves<Plan, L, First + 1, N - 1>(r);
      for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE { r.template wide<T>(m.to, decltype(k)::value) = next[decltype(k)::value]; });
    }
  }
}

template <class Plan, int L, int B, class R, class Env>
EXPRAX_INLINE constexpr void run_region_block(R& r, Env const& env) {
  constexpr region_block b = Plan::storage.region_blocks[B];
  if constexpr (b.n_step > 0) run_region_steps<Plan, L, b.step, b.n_step>(r, env);
  for_files(r, [&](auto& f, auto) EXPRAX_LAMBDA_INLINE { run_region_moves<Plan, L, b.move, b.n_move>(f); });
}

}  // namespace exprax::detail
