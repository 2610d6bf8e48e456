// SPDX-License-Identifier: BSL-1.0
// Loops over packs. A row whose length is not a multiple of the pack's ends with a pack that overlaps the one before: it is computed first,
// kept in registers and stored last, so that in-place results are correct. Rows shorter than a pack use the next narrower one, below four
// elements single elements.
#pragma once

#include <exprax/emit/kernels/steps.hpp>
#include <exprax/emit/kernels/tile.hpp>

namespace exprax::detail {

template <class Plan, int Box, int Rank, int L, class Env>
EXPRAX_INLINE constexpr void run_row(Env const& env, std::ptrdiff_t const* index) {
  constexpr int first = Plan::storage.boxes[Box].step, n_row = Plan::storage.boxes[Box].n_row, n = Plan::storage.boxes[Box].n_step;
  constexpr std::ptrdiff_t lo = Rank == 0 ? 0 : Plan::storage.boxes[Box].lo[Rank == 0 ? 0 : Rank - 1];
  constexpr std::ptrdiff_t extent = Rank == 0 ? 1 : Plan::storage.boxes[Box].extent[Rank == 0 ? 0 : Rank - 1];
  if constexpr (L > 1 && (extent < L || extent < 4)) {
    run_row<Plan, Box, Rank, (extent < 4 ? 1 : L / 2)>(env, index);
  } else {
    auto const at = box_pointers<Plan, Box, Rank>::template make<Rank>(env, index);
    registers<Plan, Box, L> r;
    run_all_steps<Plan, first, n_row, L, Rank, L, phase::all>(r, env, at, index, lo);
    constexpr std::ptrdiff_t whole = extent / L * L;
    if constexpr (whole == extent) {
      for (std::ptrdiff_t x = lo; x < lo + extent; x += L)
        run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::all>(r, env, at, index, x);
    } else {
      registers<Plan, Box, L> last = r;
      run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::compute>(last, env, at, index, lo + extent - L);
      for (std::ptrdiff_t x = lo; x < lo + whole; x += L)
        run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::all>(r, env, at, index, x);
      run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::store>(last, env, at, index, lo + extent - L);
    }
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

template <class Plan, int Box, int Rank, int L, class Env>
EXPRAX_INLINE constexpr void run_box(Env const& env) {
  std::ptrdiff_t index[max_rank] = {};
  if constexpr (L > 1 && Plan::storage.boxes[Box].tile > 0)
    for_rows<Plan, Box, Rank - 1, 0>(index, [&]() EXPRAX_LAMBDA_INLINE { run_tiles<Plan, Box, Rank, L>(env, index); });
  else for_rows<Plan, Box, Rank, 0>(index, [&]() EXPRAX_LAMBDA_INLINE { run_row<Plan, Box, Rank, L>(env, index); });
}

template <class Plan, int K, bool Vector, class Env>
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
               (Vector && rank > 0 ? Plan::storage.boxes[Plan::storage.loops[K].box + B].lanes : 1)>(env),
       ...);
    }(std::make_integer_sequence<int, Plan::storage.loops[K].n_box>{});
  }(std::make_integer_sequence<int, Plan::storage.loops[K].n_guard>{});
}

}  // namespace exprax::detail
