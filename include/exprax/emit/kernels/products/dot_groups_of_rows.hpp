// SPDX-License-Identifier: BSL-1.0
// Products of short integers (dot_groups.hpp) as dot products, in packs along the sum, without a panel.
#pragma once

#include <exprax/emit/kernels/products/dot_groups.hpp>

namespace exprax::detail {

// Of few rows, where both operands are contiguous along the sum.
template <class Plan, int K>
struct dot_groups_of_rows {
#if EXPRAX_SIMD && defined(__SSE2__)
  using code = dot_groups<Plan, K>;
  using C = typename code::C;
  using T = typename C::type;
  using V = typename code::V;
  using columns_type = typename code::columns_type;
  using rows_type = typename code::rows_type;
  static constexpr int L = code::L, at_once = code::at_once, across = C::tiles.packs;
  static constexpr std::ptrdiff_t n = code::n, whole = n / at_once * at_once, columns = code::columns;

  // Threads share the columns.
  template <bool Parallel>
  static void run(columns_type const* v, rows_type const* s, T* out) {
    constexpr std::ptrdiff_t parts = columns / across;
    for_parts<Parallel>(parts, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      std::ptrdiff_t const column = first * across, stop = end == parts ? columns : end * across;
      constexpr int rows = C::tiles.rows[0];
      std::ptrdiff_t i = 0;
      for (; i + rows <= C::rows; i += rows) run_rows<rows>(v, s + i * C::row_of_operand, out + i * C::row_of_out, column, stop);
      if constexpr (C::rows % rows != 0) run_rows<C::rows % rows>(v, s + i * C::row_of_operand, out + i * C::row_of_out, column, stop);
    });
  }

 private:
  template <int Rows>
  EXPRAX_INLINE static void run_rows(columns_type const* v, rows_type const* s, T* out, std::ptrdiff_t column, std::ptrdiff_t end) {
    std::int32_t change[Rows] = {};
    if constexpr (code::moves_panel)
      for (int r = 0; r < Rows; ++r) change[r] = code::change_of(s + r * C::row_of_operand, static_cast<int>(n));
    run_columns<Rows, across>(v, s, out, change, column, end);
  }
  template <int Rows, int Columns>
  EXPRAX_INLINE static void run_columns(columns_type const* v, rows_type const* s, T* out, std::int32_t const* change,
                                        std::ptrdiff_t column, std::ptrdiff_t end) {
    for (; column + Columns <= end; column += Columns) tile<Rows, Columns>(v + column * code::column_step, s, out + column, change);
    if constexpr (columns % Columns != 0) run_columns<Rows, Columns / 2>(v, s, out, change, column, end);
  }
  template <int Rows, int Columns>
  EXPRAX_INLINE static void tile(columns_type const* v, rows_type const* s, T* out, std::int32_t const* change) {
    [&]<int... I, int... P>(std::integer_sequence<int, I...>, std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
      V sums[] = {V(0 * I)...};  // of row I / Columns, column I % Columns
      auto const add = [&](std::ptrdiff_t at, int count) EXPRAX_LAMBDA_INLINE {
        V const column[] = {moved(code::run_of(v + P * code::column_step + at, count))...};
        ((sums[I] = code::add_products(sums[I], column[I % Columns], code::run_of(s + I / Columns * C::row_of_operand + at, count))), ...);
      };
      for (std::ptrdiff_t at = 0; at < whole; at += at_once) add(at, at_once);
      if constexpr (whole < n) add(whole, static_cast<int>(n - whole));
      for (int r = 0; r < Rows; ++r) {
        V const made = lane_sums<std::int32_t, L, Columns>(
            [&](auto column) EXPRAX_LAMBDA_INLINE { return sums[r * Columns + decltype(column)::value]; });
        simd::store_partial(made - V(change[r]), reinterpret_cast<std::int32_t*>(out + r * C::row_of_out), Columns);
      }
    }(std::make_integer_sequence<int, Rows * Columns>{}, std::make_integer_sequence<int, Columns>{});
  }
  EXPRAX_INLINE static V moved(V words) {
    if constexpr (code::moves_panel) return words ^ V(code::sign_bits);
    else return words;
  }
#endif
};

}  // namespace exprax::detail
