// SPDX-License-Identifier: BSL-1.0
// The rows of a region in lanes: how many run at once, and the loop over them. If rows do not fill the last pack, it overlaps the one
// before; rows that are computed twice give the same results.
#pragma once

#include <exprax/emit/regions/lane_region.hpp>

namespace exprax::detail {

inline constexpr int largest_memory_of_lanes = 32768;  // if several packs run at once: bytes that fit into the L1 cache
inline constexpr int vector_registers = simd::register_bytes == 64 ? 32 : 16;

// The number of lanes in a register for the widest dtype; 1 without packs.
constexpr int lanes_of_register(region_kernel const& s) {
  int widest = 4;
  for (int d = 0; d < dtype_count; ++d)
    if (s.wide[d] > 0 && size_of(static_cast<dtype>(d)) > widest) widest = size_of(static_cast<dtype>(d));
  return simd::register_bytes > widest ? simd::register_bytes / widest : 1;
}
// The lanes of one register, or of a few, if there are enough rows; one lane if they would fill less than a small register.
constexpr int lanes_of_rows(region_kernel const& s) {
  int const one = lanes_of_register(s);
  int lanes = one;
  // Iterations of a loop depend on each other: if its carries leave room, two or four packs run at once. Short-lived values may exceed the
  // registers, because they need not live in all packs at the same time.
  for (int packs = 2; packs <= 4 && s.live > 0; packs *= 2) {
    bool const fit = 4 * s.carried * packs <= 3 * vector_registers && 4 * s.live * packs <= 10 * vector_registers &&
                     2 * lanes * s.bytes_of_lane <= largest_memory_of_lanes;
    if (fit) lanes *= 2;
  }
  while (lanes > s.rows[s.row_axes - 1]) lanes /= 2;
  return lanes < 2 || lanes * simd::register_bytes < 16 * one ? 1 : lanes;
}

// Sets row `at` of an axis; along the last one, each register file has the next lanes.
template <class Plan, int L, int Axis, class R>
EXPRAX_INLINE constexpr void set_row(R& r, std::ptrdiff_t at) {
  if constexpr (R::files == 1) {
    r.row[Axis] = at;
  } else {
    constexpr int step = Axis + 1 < R::axes ? 0 : L;
    for_packs<R::files>([&](auto p) EXPRAX_LAMBDA_INLINE { r.of[decltype(p)::value].row[Axis] = at + decltype(p)::value * step; });
  }
}
template <class Plan, int K, int L, int Axis, class R, class Env>
EXPRAX_INLINE constexpr void run_rows(R& r, Env const& env) {
  constexpr std::ptrdiff_t n = Plan::storage.regions[K].rows[Axis];
  if constexpr (Axis + 1 < R::axes) {
    for (std::ptrdiff_t at = 0; at < n; ++at) {
      set_row<Plan, L, Axis>(r, at);
      run_rows<Plan, K, L, Axis + 1>(r, env);
    }
  } else {
    constexpr int together = L * R::files;
    for (std::ptrdiff_t at = 0; at < n; at += together) {
      set_row<Plan, L, Axis>(r, at < n - together ? at : n - together);
      run_region_block<Plan, L, Plan::storage.regions[K].block>(r, env);
    }
  }
}

template <class Plan>
constexpr int cost_of_block(int block) {
  region_block const b = Plan::storage.region_blocks[block];
  int cost = 0;
  for (int i = b.step; i < b.step + b.n_step; ++i) {
    region_step const& s = Plan::storage.region_steps[i];
    if (s.kind == region_step_kind::compute) cost += traits_of(s.op).cost;
    for (int k = 0; s.kind >= region_step_kind::scan && k < s.n_block; ++k) cost += cost_of_block<Plan>(Plan::storage.tables[s.block + k]);
  }
  return cost;
}
// Whether packs that run at once execute whole iterations, one pack after another: short-lived values then live in one pack at a time.
// Otherwise each equation runs for all packs: better if everything fits, or if iterations are too long to overlap.
template <class Plan, int K>
constexpr bool runs_pack_by_pack(int packs) {
  region_kernel const& s = Plan::storage.regions[K];
  return s.live * packs > vector_registers && cost_of_block<Plan>(s.block) <= 64;
}

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_lanes(Env const& env) {
  constexpr int together = Vector ? lanes_of_rows(Plan::storage.regions[K]) : 1, one = lanes_of_register(Plan::storage.regions[K]);
  if constexpr (together <= one || !runs_pack_by_pack<Plan, K>(together / one)) {
    lane_registers<Plan, K, together> r;
    run_rows<Plan, K, together, 0>(r, env);
  } else {
    lane_files<Plan, K, one, together / one> r;
    for_packs<together / one>([&](auto p) EXPRAX_LAMBDA_INLINE { r.of[decltype(p)::value].place = decltype(p)::value * one; });
    run_rows<Plan, K, one, 0>(r, env);
  }
}

}  // namespace exprax::detail
