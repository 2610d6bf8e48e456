// SPDX-License-Identifier: BSL-1.0
// Products of short integers (dot_groups.hpp) of few rows, without a panel: the rows of the matrix are interleaved in registers as they are
// loaded, and multiplied at once.
#pragma once

#include <exprax/emit/kernels/products/dot_groups.hpp>

namespace exprax::detail {

// A strip of columns, whose sums stay in registers: `packs` registers of each row of the matrix.
template <class Plan, int K>
struct dot_groups_strip {
#if EXPRAX_SIMD && defined(__SSE2__)
  using code = dot_groups<Plan, K>;
  using C = typename code::C;
  using T = typename C::type;
  using V = typename code::V;
  using columns_type = typename code::columns_type;
  using rows_type = typename code::rows_type;
  using words = simd::column_words<columns_type, code::group>;
  static constexpr int L = code::L, group = code::group, unit = words::columns, rest = code::rest;
  static constexpr std::ptrdiff_t n = code::n, whole = n / group * group, columns = code::columns, units = (columns + unit - 1) / unit;
  static constexpr int at_once = units < C::tiles.packs ? static_cast<int>(units) : C::tiles.packs;
  static_assert(columns >= unit);

  // Threads share the columns. The last register of a row overlaps the one before it.
  template <bool Parallel>
  static void run(columns_type const* v, rows_type const* s, T* out) {
    constexpr std::ptrdiff_t width = std::ptrdiff_t{at_once} * unit, strips = units / at_once;
    constexpr int overlap = static_cast<int>(units * unit - columns), after = static_cast<int>(units % at_once);
    constexpr bool last_overlaps = overlap > 0 && after == 0;
    std::int32_t change[C::rows] = {};
    if constexpr (code::moves_panel)
      for (int r = 0; r < C::rows; ++r) change[r] = code::change_of(s + r * C::row_of_operand, static_cast<int>(n));
    for_parts<Parallel>(strips, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      std::ptrdiff_t const plain = last_overlaps && end == strips ? end - 1 : end;
      for (std::ptrdiff_t i = first; i < plain; ++i) run_rows<at_once, 0>(v + i * width, s, out + i * width, change);
      if constexpr (last_overlaps) {
        if (end == strips) run_rows<at_once, overlap>(v + plain * width, s, out + plain * width, change);
      } else if constexpr (after > 0) {
        if (end == strips) run_rows<after, overlap>(v + strips * width, s, out + strips * width, change);
      }
    });
  }

 private:
  template <int Units, int Overlap>
  EXPRAX_INLINE static void run_rows(columns_type const* v, rows_type const* s, T* out, std::int32_t const* change) {
    constexpr int rows = C::tiles.rows[0];
    std::ptrdiff_t i = 0;
    for (; i + rows <= C::rows; i += rows)
      tile<rows, Units, Overlap>(v, s + i * C::row_of_operand, out + i * C::row_of_out, change + i);
    if constexpr (C::rows % rows != 0)
      tile<static_cast<int>(C::rows % rows), Units, Overlap>(v, s + i * C::row_of_operand, out + i * C::row_of_out, change + i);
  }
  template <int Rows, int Units, int Overlap>
  EXPRAX_INLINE static void tile(columns_type const* v, rows_type const* s, T* out, std::int32_t const* change) {
    constexpr auto at = [](int u) { return u * unit - (u + 1 == Units ? Overlap : 0); };
    [&]<int... R, int... U, int... P>(std::integer_sequence<int, R...>, std::integer_sequence<int, U...>, std::integer_sequence<int, P...>)
        EXPRAX_LAMBDA_INLINE {
      V sums[Rows * Units][words::packs];
      auto const begin = [&](auto row, auto u) EXPRAX_LAMBDA_INLINE {
        ((sums[decltype(row)::value * Units + decltype(u)::value][P] = V(0) - V(change[decltype(row)::value])), ...);
      };
      auto const add = [&](auto count, columns_type const* from, rows_type const* elements) EXPRAX_LAMBDA_INLINE {
        V const by[] = {V(code::template word<decltype(count)::value>(elements + R * C::row_of_operand))...};
        auto const add_unit = [&](auto u) EXPRAX_LAMBDA_INLINE {
          V columns_of_unit[words::packs];
          load<decltype(count)::value>(from + at(decltype(u)::value), columns_of_unit);
          auto const add_row = [&](auto row) EXPRAX_LAMBDA_INLINE {
            V* const to = sums[decltype(row)::value * Units + decltype(u)::value];
            ((to[P] = code::add_products(to[P], columns_of_unit[P], by[decltype(row)::value])), ...);
          };
          (add_row(std::integral_constant<int, R>()), ...);
        };
        (add_unit(std::integral_constant<int, U>()), ...);
      };
      auto const end = [&](auto row, auto u) EXPRAX_LAMBDA_INLINE {
        V made[words::packs];
        words::order(sums[decltype(row)::value * Units + decltype(u)::value], made);
        std::int32_t* const to = reinterpret_cast<std::int32_t*>(out + decltype(row)::value * C::row_of_out + at(decltype(u)::value));
        (simd::store(made[P], to + P * L), ...);
      };
      auto const for_units = [](auto row, auto const& f) EXPRAX_LAMBDA_INLINE { (f(row, std::integral_constant<int, U>()), ...); };
      (for_units(std::integral_constant<int, R>(), begin), ...);
      for (std::ptrdiff_t k = 0; k < whole; k += group) add(std::integral_constant<int, group>(), v + k * code::sum_step, s + k);
      if constexpr (rest > 0) add(std::integral_constant<int, rest>(), v + whole * code::sum_step, s + whole);
      (for_units(std::integral_constant<int, R>(), end), ...);
    }(std::make_integer_sequence<int, Rows>{}, std::make_integer_sequence<int, Units>{}, std::make_integer_sequence<int, words::packs>{});
  }
  // Count rows of the matrix; missing ones are 0.
  template <int Count>
  EXPRAX_INLINE static void load(columns_type const* from, V (&to)[words::packs]) {
    [&]<int... I, int... P>(std::integer_sequence<int, I...>, std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
      typename words::row rows[group]{};
      ((rows[I] = simd::load<columns_type, unit>(from + I * code::sum_step).reg[0]), ...);
      words::make(rows, to);
      if constexpr (code::moves_panel) ((to[P] = to[P] ^ V(code::sign_bits)), ...);
    }(std::make_integer_sequence<int, Count>{}, std::make_integer_sequence<int, words::packs>{});
  }
#endif
};

}  // namespace exprax::detail
