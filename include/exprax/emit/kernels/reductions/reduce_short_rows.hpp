// SPDX-License-Identifier: BSL-1.0
// Reductions of rows of a few elements, as sum(x * x, axis<1>) of [n, 3]: what is reduced is computed for the rows of a strip
// (short_rows.hpp), where it lies row after row. Then packs hold one element of each row, and are combined in the order of one row
// (reduce_order.hpp). The plan says where (box::strip).
#pragma once

#include <exprax/emit/kernels/reductions/reduction_packs.hpp>
#include <exprax/emit/kernels/short_rows.hpp>

namespace exprax::detail {

#if EXPRAX_SIMD
// L rows that lie one after the other: the result of each. They are read in the packs in which they were stored.
template <prim Op, class T, int L, int... Column>
EXPRAX_INLINE simd::pack<T, L> combine_columns(T const* p, std::integer_sequence<int, Column...>) {
  constexpr int n = sizeof...(Column);
  simd::pack<T, L> const sums[n] = {begin_with<Op>(load_lanes<T, L, n, L, Column>(p + Column))...};
  return join_first<Op, n>(sums);
}
#endif

// The values that are reduced: those of an array, row after row, or computed.
template <class Plan, int Box, int Rank>
struct reduced_values {
  static constexpr bool are_stored = [] {
    int const first = Plan::storage.boxes[Box].step, end = first + Plan::storage.boxes[Box].n_step;
    for (int s = first + 1; s < end; ++s)
      if (!is_store(Plan::storage.steps[s].kind)) return false;
    return Plan::storage.steps[first].kind == step_kind::load;
  }();
  static constexpr std::ptrdiff_t count = are_stored ? 1 : strip_shape<Plan, Box, Rank>::elements;
};

template <class Plan, int K, int L, bool Parallel, class Env>
EXPRAX_INLINE constexpr void reduce_short_rows([[maybe_unused]] Env const& env) {
#if EXPRAX_SIMD
  constexpr int b = Plan::storage.reduces[K].box, rank = Plan::storage.reduces[K].rank, R = Plan::storage.reduces[K].reduction;
  constexpr int out = Plan::storage.reductions[R].out;
  [[maybe_unused]] constexpr int first = Plan::storage.boxes[b].step, n_step = Plan::storage.boxes[b].n_step;
  [[maybe_unused]] constexpr int result = Plan::storage.reductions[R].result;
  constexpr prim op = reduction_traits<Plan, R>::op;
  using T = typename reduction_traits<Plan, R>::T;
  using shape = strip_shape<Plan, b, rank>;
  using reduced = reduced_values<Plan, b, rank>;
  auto const run = [&](auto const& at, std::ptrdiff_t const* index, std::ptrdiff_t strip) EXPRAX_LAMBDA_INLINE {
    [[maybe_unused]] T computed[reduced::count];
    std::ptrdiff_t const rows = shape::rows_in(strip), elements = rows * shape::columns;
    T const* values = computed;
    if constexpr (reduced::are_stored) {
      values = at.template lane<Plan::storage.steps[first].access, rank>(0);
    } else {
      registers<Plan, b, L> r;
      auto const compute = [&](std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE {
        run_all_steps<Plan, first, n_step, L, rank, L, phase::compute>(r, env, at, index, x);
        simd::store(r.template file<T>()[result], computed + x);
      };
      for (std::ptrdiff_t x = 0; x + L <= elements; x += L) compute(x);
      if (elements % L != 0) compute(elements - L);
    }
    auto* const to = env.template buffer<Plan::storage.accesses[out].buffer>() + row_offset<Plan, out, rank>(env, index) +
                     shape::first_row(strip);
    auto const reduce = [&](std::ptrdiff_t row) EXPRAX_LAMBDA_INLINE {
      simd::store(combine_columns<op, T, L>(values + row * shape::columns,
                                            std::make_integer_sequence<int, static_cast<int>(shape::columns)>{}),
                  to + row);
    };
    for (std::ptrdiff_t row = 0; row + L <= rows; row += L) reduce(row);
    if (rows % L != 0) reduce(rows - L);
  };
  for_strips<Plan, b, rank, false, Parallel>(env, run);
#endif
}

}  // namespace exprax::detail
