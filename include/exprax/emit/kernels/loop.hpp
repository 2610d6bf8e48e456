// SPDX-License-Identifier: BSL-1.0
// Loops over packs. A row whose length is not a multiple of the pack's ends with a pack that overlaps the one before: it is computed first,
// kept in registers and stored last, so that in-place results are correct. Rows shorter than a pack are walked together in strips
// (short_rows.hpp); where that cannot be, they use the next narrower pack, below four elements single elements.
#pragma once

#include <exprax/emit/kernels/short_rows.hpp>
#include <exprax/emit/kernels/steps.hpp>
#include <exprax/emit/kernels/threads.hpp>
#include <exprax/emit/kernels/tile.hpp>

namespace exprax::detail {

// Whether a pack is loaded that overlaps one that the iteration before stored, so that the load would wait until the store reaches the
// cache: an update of every second element reads those between. Where a loop overwrites what it reads elsewhere, it does not change it.
constexpr bool is_loaded_beside_stores(box const& b, step const* steps, access const* accesses, int rank, int lanes) {
  for (int s = b.step; s < b.step + b.n_step; ++s) {
    if (steps[s].kind != step_kind::store) continue;
    for (int l = b.step; l < b.step + b.n_step; ++l) {
      if (steps[l].kind != step_kind::load) continue;
      access const &to = accesses[steps[s].access], &from = accesses[steps[l].access];
      std::ptrdiff_t const apart = from.base - to.base;
      bool near = to.buffer == from.buffer && to.n_term == 0 && from.n_term == 0 && to.stride[rank - 1] == 1;
      for (int i = 0; i < rank; ++i) near = near && to.stride[i] == from.stride[i];
      if (near && apart != 0 && apart > -2 * lanes && apart < 2 * lanes) return true;
    }
  }
  return false;
}
template <class Plan, int Box, int Rank, int L>
inline constexpr bool stores_later = [] {
  if constexpr (L == 1 || Rank == 0) return false;
  else return is_loaded_beside_stores(Plan::storage.boxes[Box], Plan::storage.steps, Plan::storage.accesses, Rank, L);
}();

// Calls f for each pack. g++ -O2 unrolls loops only if nothing is left of them: in long ones of packs that take few instructions, those of
// the loop are as many.
template <class Plan, int Box, int Rank, int L, class F>
EXPRAX_INLINE constexpr void for_packs(std::ptrdiff_t from, std::ptrdiff_t to, F const& f) {
  std::ptrdiff_t x = from;
#if defined(__GNUC__) && !defined(__clang__)
  constexpr int most_steps = 8, most_unrolled = 16;
  constexpr box b = Plan::storage.boxes[Box];
  if constexpr (L > 1 && b.n_step - b.n_row <= most_steps && b.extent[Rank == 0 ? 0 : Rank - 1] > most_unrolled * L)
    for (; x + 4 * L <= to; x += 4 * L) f(x), f(x + L), f(x + 2 * L), f(x + 3 * L);
#endif
  for (; x < to; x += L) f(x);
}
// The packs of a row from `from` to `to`; the last ones of the row are followed by the rest.
template <class Plan, int Box, int Rank, int L, class Env>
EXPRAX_INLINE constexpr void run_packs(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t from, std::ptrdiff_t to) {
  constexpr int first = Plan::storage.boxes[Box].step, n_row = Plan::storage.boxes[Box].n_row, n = Plan::storage.boxes[Box].n_step;
  constexpr std::ptrdiff_t lo = Rank == 0 ? 0 : Plan::storage.boxes[Box].lo[Rank == 0 ? 0 : Rank - 1];
  constexpr std::ptrdiff_t extent = Rank == 0 ? 1 : Plan::storage.boxes[Box].extent[Rank == 0 ? 0 : Rank - 1];
  auto const at = box_pointers<Plan, Box, Rank>::template make<Rank>(env, index);
  registers<Plan, Box, L> r;
  run_all_steps<Plan, first, n_row, L, Rank, L, phase::all>(r, env, at, index, lo);
  auto const packs = [&]() EXPRAX_LAMBDA_INLINE {
    if constexpr (stores_later<Plan, Box, Rank, L>) {
      if (from >= to) return;
      registers<Plan, Box, L> before = r;
      run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::compute>(before, env, at, index, from);
      for (std::ptrdiff_t x = from + L; x < to; x += L) {
        registers<Plan, Box, L> now = r;
        run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::compute>(now, env, at, index, x);
        run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::store>(before, env, at, index, x - L);
        before = now;
      }
      run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::store>(before, env, at, index, to - L);
    } else {
      std::ptrdiff_t x = from;
      if constexpr (Plan::storage.boxes[Box].in_pairs && L > 1) {
        registers<Plan, Box, L> next = r;
        for (; x + 2 * L <= to; x += 2 * L) run_steps_of_pair<Plan, first + n_row, n - n_row, L, Rank>(r, next, env, at, index, x);
      }
      for_packs<Plan, Box, Rank, L>(x, to, [&](std::ptrdiff_t i) EXPRAX_LAMBDA_INLINE {
        run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::all>(r, env, at, index, i);
      });
    }
  };
  if constexpr (extent % L == 0) {
    packs();
  } else {
    if (to + L <= lo + extent) return packs();
    registers<Plan, Box, L> last = r;
    run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::compute>(last, env, at, index, lo + extent - L);
    packs();
    run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::store>(last, env, at, index, lo + extent - L);
  }
}
// How many elements of a row come before the first one that a pack stores at an aligned address; 0: all do, it is not known, or it would
// take more packs.
constexpr std::ptrdiff_t unaligned_elements(box const& b, step const* steps, access const* accesses, int rank, int lanes) {
  if (rank == 0) return 0;
  std::ptrdiff_t const lo = b.lo[rank - 1], extent = b.extent[rank - 1];
  int n = 0;
  for (int s = b.step; s < b.step + b.n_step; ++s) {
    if (!is_store(steps[s].kind)) continue;
    if (steps[s].kind != step_kind::store) return 0;
    access const& a = accesses[steps[s].access];
    if (a.n_term != 0 || a.stride[rank - 1] != 1 || a.base + lo < 0) return 0;
    for (int i = 0; i < rank - 1; ++i)
      if (a.stride[i] % lanes != 0) return 0;
    int const before = static_cast<int>((lanes - (a.base + lo) % lanes) % lanes);
    if (before == 0 || (n != 0 && n != before)) return 0;
    n = before;
  }
  std::ptrdiff_t const packs = (extent + lanes - 1) / lanes, aligned = 1 + (extent - n + lanes - 1) / lanes;
  return packs >= 4 && aligned <= packs + packs / 16 ? n : 0;
}
template <class Plan, int Box, int Rank, int L>
inline constexpr std::ptrdiff_t before_aligned =
    unaligned_elements(Plan::storage.boxes[Box], Plan::storage.steps, Plan::storage.accesses, Rank, L);

// A row whose packs are aligned, between the first one and the last one, which overlap the packs next to them.
template <class Plan, int Box, int Rank, int L, class Env>
EXPRAX_INLINE constexpr void run_aligned_packs(Env const& env, std::ptrdiff_t const* index) {
  constexpr int first = Plan::storage.boxes[Box].step, n_row = Plan::storage.boxes[Box].n_row, n = Plan::storage.boxes[Box].n_step;
  constexpr std::ptrdiff_t lo = Plan::storage.boxes[Box].lo[Rank - 1], end = lo + Plan::storage.boxes[Box].extent[Rank - 1];
  constexpr std::ptrdiff_t from = lo + before_aligned<Plan, Box, Rank, L>, to = from + (end - from) / L * L;
  auto const at = box_pointers<Plan, Box, Rank>::template make<Rank>(env, index);
  registers<Plan, Box, L> r;
  run_all_steps<Plan, first, n_row, L, Rank, L, phase::all>(r, env, at, index, lo);
  registers<Plan, Box, L> head = r, last = r;
  run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::compute>(head, env, at, index, lo);
  if constexpr (to < end) run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::compute>(last, env, at, index, end - L);
  for_packs<Plan, Box, Rank, L>(from, to, [&](std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE {
    run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::all>(r, env, at, index, x);
  });
  run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::store>(head, env, at, index, lo);
  if constexpr (to < end) run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::store>(last, env, at, index, end - L);
}
// Parallel: threads share the packs of the row.
template <class Plan, int Box, int Rank, int L, bool Parallel = false, class Env>
EXPRAX_INLINE constexpr void run_row(Env const& env, std::ptrdiff_t const* index) {
  constexpr std::ptrdiff_t lo = Rank == 0 ? 0 : Plan::storage.boxes[Box].lo[Rank == 0 ? 0 : Rank - 1];
  constexpr std::ptrdiff_t extent = Rank == 0 ? 1 : Plan::storage.boxes[Box].extent[Rank == 0 ? 0 : Rank - 1];
  if constexpr (L > 1 && (extent < L || extent < 4)) {
    run_row<Plan, Box, Rank, (extent < 4 ? 1 : L / 2)>(env, index);
  } else if constexpr (Parallel) {
    for_parts<true>(extent / L, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      run_packs<Plan, Box, Rank, L>(env, index, lo + first * L, lo + end * L);
    });
  } else if constexpr (L > 1 && before_aligned<Plan, Box, Rank, L> > 0 && !stores_later<Plan, Box, Rank, L>) {
    run_aligned_packs<Plan, Box, Rank, L>(env, index);
  } else {
    run_packs<Plan, Box, Rank, L>(env, index, lo, lo + extent / L * L);
  }
}
// The outer axes of a box.
template <class Plan, int Box, int Rank, int Axis, class F>
EXPRAX_INLINE constexpr void for_rows(std::ptrdiff_t* index, F const& f) {
  if constexpr (Axis >= Rank - 1) {
    f();
  } else {
    for (std::ptrdiff_t i = 0; i < Plan::storage.boxes[Box].extent[Axis]; ++i) {
      index[Axis] = Plan::storage.boxes[Box].lo[Axis] + i;
      for_rows<Plan, Box, Rank, Axis + 1>(index, f);
    }
  }
}

// Threads share the outer axes, or, of few rows, each row.
template <class Plan, int Box, int Rank, int L, class Env>
EXPRAX_INLINE constexpr void run_box_in_parallel(Env const& env) {
  constexpr box const& b = Plan::storage.boxes[Box];
  constexpr bool tiles = L > 1 && b.tile > 0;
  constexpr int outer = Rank - (tiles ? 2 : 1);
  constexpr std::ptrdiff_t rows = count_of(b.extent, outer);
  std::ptrdiff_t index[max_rank] = {};
  if constexpr (rows >= many_parts) {
    run_parts(rows, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      for_indices<outer>(b.extent, first, end, [&](std::ptrdiff_t const* from) EXPRAX_LAMBDA_INLINE {
        std::ptrdiff_t at[max_rank];
        for (int axis = 0; axis < outer; ++axis) at[axis] = b.lo[axis] + from[axis];
        if constexpr (tiles) run_tiles<Plan, Box, Rank, L>(env, at, 0, whole_tiles<Plan, Box, Rank>);
        else run_row<Plan, Box, Rank, L>(env, at);
      });
    });
  } else if constexpr (tiles) {
    for_rows<Plan, Box, Rank - 1, 0>(index, [&]() EXPRAX_LAMBDA_INLINE {
      run_parts(whole_tiles<Plan, Box, Rank>, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
        std::ptrdiff_t at[max_rank];
        for (int axis = 0; axis < outer; ++axis) at[axis] = index[axis];
        run_tiles<Plan, Box, Rank, L>(env, at, first, end);
      });
    });
  } else {
    for_rows<Plan, Box, Rank, 0>(index, [&]() EXPRAX_LAMBDA_INLINE { run_row<Plan, Box, Rank, L, true>(env, index); });
  }
}

template <class Plan, int Box, int Rank, int L, bool Parallel, class Env>
EXPRAX_INLINE constexpr void run_box(Env const& env) {
  if constexpr (L > 1 && Plan::storage.boxes[Box].strip > 0) return run_strips<Plan, Box, Rank, L, Parallel>(env);
  if constexpr (Parallel) {
    if (!__builtin_is_constant_evaluated()) return run_box_in_parallel<Plan, Box, Rank, L>(env);
  }
  std::ptrdiff_t index[max_rank] = {};
  if constexpr (L > 1 && Plan::storage.boxes[Box].tile > 0)
    for_rows<Plan, Box, Rank - 1, 0>(
        index, [&]() EXPRAX_LAMBDA_INLINE { run_tiles<Plan, Box, Rank, L>(env, index, 0, whole_tiles<Plan, Box, Rank>); });
  else for_rows<Plan, Box, Rank, 0>(index, [&]() EXPRAX_LAMBDA_INLINE { run_row<Plan, Box, Rank, L>(env, index); });
}

template <class Plan, int K, bool Vector, bool Parallel, class Env>
EXPRAX_INLINE constexpr void run_loop(Env const& env) {
  constexpr int rank = Plan::storage.loops[K].rank;
  [&]<int... G>(std::integer_sequence<int, G...>) EXPRAX_LAMBDA_INLINE {
    bool const fits =
        (true && ... &&
         (term_value<Plan, Plan::storage.loops[K].guard + G>(env) >= 0 &&
          term_value<Plan, Plan::storage.loops[K].guard + G>(env) <= Plan::storage.terms[Plan::storage.loops[K].guard + G].limit));
    if (!fits) return;
    [&]<int... B>(std::integer_sequence<int, B...>) EXPRAX_LAMBDA_INLINE {
      (run_box<Plan, Plan::storage.loops[K].box + B, rank,
               (Vector && rank > 0 ? Plan::storage.boxes[Plan::storage.loops[K].box + B].lanes : 1), Parallel>(env),
       ...);
    }(std::make_integer_sequence<int, Plan::storage.loops[K].n_box>{});
  }(std::make_integer_sequence<int, Plan::storage.loops[K].n_guard>{});
}

}  // namespace exprax::detail
