// SPDX-License-Identifier: BSL-1.0
// The rows of a region in lanes: how many run at once, and the loop over them. The last pack overlaps the one before where rows do
// not fill it: what it does twice it does alike.
#pragma once

#include <exprax/emit/regions/lane_region.hpp>

namespace exprax::detail {

inline constexpr int largest_memory_of_lanes = 32768;  // bytes that several packs may have: they should stay in the nearest cache
inline constexpr int vector_registers = simd::register_bytes == 64 ? 32 : 16;

// As many lanes as a register holds of the widest dtype; one, without packs.
constexpr int lanes_of_register(region_kernel const& s) {
  int widest = 4;
  for (int d = 0; d < dtype_count; ++d)
    if (s.wide[d] > 0 && size_of(static_cast<dtype>(d)) > widest) widest = size_of(static_cast<dtype>(d));
  return simd::register_bytes > widest ? simd::register_bytes / widest : 1;
}
// That many, or a few registers of them, if there are as many rows; of fewer than fill a small register, one.
constexpr int lanes_of_rows(region_kernel const& s) {
  int const one = lanes_of_register(s);
  int lanes = one;
  // The turns of a loop wait for one another: where its carries leave room, two or four packs at once. What lives shortly may be
  // more than there are registers, for it need not live at the same time in all packs.
  for (int packs = 2; packs <= 4 && s.live > 0; packs *= 2) {
    bool const fit = 4 * s.carried * packs <= 3 * vector_registers && 4 * s.live * packs <= 10 * vector_registers &&
                     2 * lanes * s.bytes_of_lane <= largest_memory_of_lanes;
    if (fit) lanes *= 2;
  }
  while (lanes > s.rows[s.row_axes - 1]) lanes /= 2;
  return lanes < 2 || lanes * simd::register_bytes < 16 * one ? 1 : lanes;
}

// Row `at` of an axis; along the last one, each file has the next lanes.
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
// Whether packs that run at once take whole turns, one after the other: what lives shortly then lives for one of them at a time.
// Otherwise each equation is for all of them: better while all that fits, or where turns are too long to overlap.
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
