// SPDX-License-Identifier: BSL-1.0
// Regions (plan/data/region.hpp): loops and branches whose values are in registers, and the same for the rows of a vmap, as many at a time
// as the lanes of the registers. If rows do not fill the last pack, it overlaps the one before; rows that are computed twice give the same
// results.
#pragma once

#include <exprax/emit/regions/control.hpp>

namespace exprax::detail {

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_region(Env const& env) {
  constexpr int L = Vector ? Plan::storage.regions[K].lanes : 1;
  region_registers<Plan, K, L> r;
  run_region_block<Plan, L, Plan::storage.regions[K].block>(r, env);
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

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_lanes(Env const& env) {
  constexpr int together = Vector ? Plan::storage.regions[K].lanes : 1, one = Plan::storage.regions[K].pack;
  if constexpr (together <= one || !Plan::storage.regions[K].pack_by_pack) {
    lane_registers<Plan, K, together> r;
    run_rows<Plan, K, together, 0>(r, env);
  } else {
    lane_files<Plan, K, one, together / one> r;
    for_packs<together / one>([&](auto p) EXPRAX_LAMBDA_INLINE { r.of[decltype(p)::value].place = decltype(p)::value * one; });
    run_rows<Plan, K, one, 0>(r, env);
  }
}

}  // namespace exprax::detail
