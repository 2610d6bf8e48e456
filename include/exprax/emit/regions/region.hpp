// SPDX-License-Identifier: BSL-1.0
// Regions (plan/data/region.hpp): loops and branches whose values are in registers, and the same for the rows of a vmap, as many at a time
// as the lanes of the registers. If rows do not fill the last packs, they overlap the ones before; rows that are computed twice give the
// same results.
#pragma once

#include <exprax/emit/kernels/threads.hpp>
#include <exprax/emit/regions/control.hpp>

namespace exprax::detail {

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_region(Env const& env) {
  constexpr int L = Vector ? Plan::storage.regions[K].lanes : 1;
  region_registers<Plan, K, L> r;
  run_region_block<Plan, L, Plan::storage.regions[K].block>(r, env);
}

// Sets row `at` of an axis; along the last one, of n rows, each register file has the next lanes, or the last ones.
template <int L, int Axis, std::ptrdiff_t n, class R>
EXPRAX_INLINE constexpr void set_row(R& r, std::ptrdiff_t at) {
  if constexpr (R::files == 1) {
    r.row[Axis] = at;
  } else {
    for_packs<R::files>([&](auto p) EXPRAX_LAMBDA_INLINE {
      constexpr std::ptrdiff_t lane = decltype(p)::value * L, first = lane < n - L ? lane : n - L;
      r.of[decltype(p)::value].row[Axis] = at + (Axis + 1 < R::axes ? 0 : first);
    });
  }
}
// How many parts axis Axis has that threads may share: rows, or, of lanes, as many as run together. There is one at least.
template <class Plan, int K, int Together, int Axis>
inline constexpr std::ptrdiff_t parts_of_rows = [] {
  constexpr std::ptrdiff_t n = Plan::storage.regions[K].rows[Axis];
  return Axis + 1 < Plan::storage.regions[K].row_axes ? n : n >= Together ? n / Together : n > 0;
}();
// The rows of a part: from `first` to `end` of the first axis, of lanes in as many rows as run together; then the rest.
template <class Plan, int K, int L, int Axis, class R, class Env>
EXPRAX_INLINE constexpr void run_rows(R& r, Env const& env, std::ptrdiff_t first, std::ptrdiff_t end) {
  constexpr std::ptrdiff_t n = Plan::storage.regions[K].rows[Axis];
  if constexpr (Axis + 1 < R::axes) {
    for (std::ptrdiff_t at = first; at < end; ++at) {
      set_row<L, Axis, n>(r, at);
      run_rows<Plan, K, L, Axis + 1>(r, env, 0, parts_of_rows<Plan, K, L * R::files, Axis + 1>);
    }
  } else {
    constexpr std::ptrdiff_t together = L * R::files, last = n < together ? 0 : n - together;
    std::ptrdiff_t const stop = end == parts_of_rows<Plan, K, L * R::files, Axis> ? n : end * together;
    for (std::ptrdiff_t at = first * together; at < stop; at += together) {
      set_row<L, Axis, n>(r, at < last ? at : last);
      run_region_block<Plan, L, Plan::storage.regions[K].block>(r, env);
    }
  }
}

// clang aligns the registers that it keeps in memory only if a variable in the frame is aligned: else many of them cross cache lines.
EXPRAX_INLINE constexpr void align_frame() {
#if defined(__clang__)
  alignas(64) char variable;
  if (!__builtin_is_constant_evaluated()) asm volatile("" : : "m"(variable));
#endif
}

// Kernel I.
template <class Plan, int I, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_lanes(Env& env) {
  constexpr int together = Vector ? Plan::storage.regions[K].lanes : 1, one = Plan::storage.regions[K].file_lanes;
  for_parts_of<Plan, I>(env, parts_of_rows<Plan, K, together, 0>,
                        [](Env const& env, std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
    constexpr int live = together > 1 ? Plan::storage.regions[K].live * together : 0;
    if constexpr (live > this_target.registers * this_target.register_bytes) align_frame();
    if constexpr (together <= one) {
      lane_registers<Plan, K, together> r;
      run_rows<Plan, K, together, 0>(r, env, first, end);
    } else {
      lane_files<Plan, K, one, together / one, Plan::storage.regions[K].pack_by_pack> r;
      for_packs<together / one>([&](auto p) EXPRAX_LAMBDA_INLINE { r.of[decltype(p)::value].place = decltype(p)::value * one; });
      run_rows<Plan, K, one, 0>(r, env, first, end);
    }
  });
}

}  // namespace exprax::detail
