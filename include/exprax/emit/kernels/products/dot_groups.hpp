// SPDX-License-Identifier: BSL-1.0
// Products of short integers, summed as 32-bit integers, `group` neighbours of the sum at once (simd/pack_products.hpp). A panel of columns
// is copied, so that these neighbours lie together; then a tile of rows and packs of columns stays in registers during the sum. Sums wrap,
// so that their order does not matter.
//
// An instruction for bytes takes unsigned ones times signed ones. Where both operands are signed, or both unsigned, 128 is added to those
// of the panel, or subtracted, which changes each sum by 128 times the sum of a row of the other operand.
#pragma once

#include <cstring>

#include <exprax/emit/kernels/products/contraction.hpp>
#include <exprax/emit/kernels/scratch.hpp>
#include <exprax/emit/kernels/threads.hpp>
#include <exprax/emit/simd/pack_products.hpp>

namespace exprax::detail {

template <class Plan, int K>
struct dot_groups {
  using C = contraction<Plan, K>;
  static constexpr contract_kernel k = Plan::storage.contracts[K];
  static constexpr bool from_lhs = C::tiles.from_lhs;
  using lhs_type = element_t<Plan::storage.buffers[k.lhs_buffer].type>;
  using rhs_type = element_t<Plan::storage.buffers[k.rhs_buffer].type>;
  using T = typename C::type;
  using columns_type = std::conditional_t<from_lhs, lhs_type, rhs_type>;  // of the operand that has columns
  using rows_type = std::conditional_t<from_lhs, rhs_type, lhs_type>;     // of the other one

  // By scalar operations.
  static constexpr T element(lhs_type const* l, rhs_type const* r) {
    std::uint32_t sum = 0;
    for_contracting<C, 0>(0, 0, [&](std::ptrdiff_t i, std::ptrdiff_t j) EXPRAX_LAMBDA_INLINE {
      sum += static_cast<std::uint32_t>(l[i]) * static_cast<std::uint32_t>(r[j]);
    });
    return static_cast<T>(sum);
  }

#if EXPRAX_SIMD && defined(__SSE2__)
  static constexpr int L = C::tiles.lanes, group = k.group, packs = C::tiles.packs, width = packs * L, sum_axis = C::walks.out_rank;
  static constexpr int at_once = group * L;  // neighbours of the sum in a pack
  static constexpr std::ptrdiff_t n = C::walks.k_size, columns = C::walks.dims[C::tiles.column];
  static constexpr std::ptrdiff_t column_step = (from_lhs ? C::walks.lhs : C::walks.rhs)[C::tiles.column];
  static constexpr std::ptrdiff_t sum_step = (from_lhs ? C::walks.lhs : C::walks.rhs)[sum_axis];
  static constexpr int most_rows = C::rows < C::tiles.rows[0] ? static_cast<int>(C::rows) : C::tiles.rows[0];
  static constexpr std::ptrdiff_t row_tiles = C::rows / most_rows, blocks = (columns + width - 1) / width;
  // The terms of the sum that a panel has, at most.
  static constexpr int rest = static_cast<int>(n % group), depth = n < 1024 ? static_cast<int>(n) : 1024;
  static constexpr int panel_size = (depth + group - 1) / group * width;
  static constexpr bool rows_are_signed = std::is_signed_v<rows_type>;
  static constexpr bool moves_panel = group == 4 && std::is_signed_v<columns_type> == rows_are_signed;
  static constexpr std::int32_t sign_bits = static_cast<std::int32_t>(0x80808080);
  using V = simd::pack<std::int32_t, L>;

  // All columns of the rows that begin at s; v: the operand with columns. Threads share the rows, or the columns if there are more.
  template <bool Parallel>
  static void run(columns_type const* v, rows_type const* s, T* out) {
    constexpr bool shares_rows = row_tiles >= blocks;
    for_parts<Parallel>(shares_rows ? row_tiles : blocks, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      std::ptrdiff_t const row = shares_rows ? first * most_rows : 0;
      std::ptrdiff_t const row_end = !shares_rows || end == row_tiles ? C::rows : end * most_rows;
      std::ptrdiff_t const block = shares_rows ? 0 : first, block_end = shares_rows ? blocks : end;
      scratch_memory<4 * panel_size> memory;
      std::int32_t* const panel = reinterpret_cast<std::int32_t*>(memory.data());
      for (std::ptrdiff_t b = block; b < block_end; ++b) {
        if (columns % width == 0 || b + 1 < blocks) run_block<width>(v, s, out, b * width, row, row_end, panel);
        else run_block<static_cast<int>(columns % width == 0 ? width : columns % width)>(v, s, out, b * width, row, row_end, panel);
      }
    });
  }

  EXPRAX_INLINE static V load(std::int32_t const* p) { return simd::load<std::int32_t, L>(p); }
  EXPRAX_INLINE static V add_products(V sum, V panel, V row) {
    if constexpr (group == 2) return simd::add_pair_products(sum, panel, row);
    else if constexpr (rows_are_signed) return simd::add_byte_products(sum, panel, row);
    else return simd::add_byte_products(sum, row, panel);
  }
  // `Count` neighbours of the sum in one word; missing ones are 0.
  template <int Count, class E>
  EXPRAX_INLINE static std::int32_t word(E const* p) {
    std::int32_t w = 0;
    if constexpr (group * sizeof(E) == 4) {
      std::memcpy(&w, p, Count * sizeof(E));
    } else {
      for (int i = 0; i < Count; ++i) w |= static_cast<std::int32_t>(std::uint32_t{static_cast<std::uint16_t>(p[i])} << (16 * i));
    }
    return w;
  }

  // Columns columns from `column` on, for all rows from `first` to `end`.
  template <int Columns>
  EXPRAX_INLINE static void run_block(columns_type const* v, rows_type const* s, T* out, std::ptrdiff_t column, std::ptrdiff_t first,
                                      std::ptrdiff_t end, std::int32_t* panel) {
    for (std::ptrdiff_t at = 0; at < n; at += depth) {
      int const terms = n - at < depth ? static_cast<int>(n - at) : depth;
      copy_panel<Columns>(v + column * column_step + at * sum_step, terms, panel);
      if (at == 0) run_rows<Columns, true>(panel, s, out + column, terms, first, end);
      else run_rows<Columns, false>(panel, s + at, out + column, terms, first, end);
    }
  }

  // ---- The panel: for each group of the sum, a word of each column.

  template <int Columns>
  EXPRAX_INLINE static void copy_panel(columns_type const* from, int terms, std::int32_t* panel) {
    int const whole = terms / group;
    if constexpr (sum_step == 1 && column_step != 1) {
      for (int c = 0; c < Columns; ++c) {
        columns_type const* const column = from + c * column_step;
        for (int g = 0; g < whole; ++g) panel[g * width + c] = moved(word<group>(column + g * group));
        if (rest > 0 && terms % group != 0) panel[whole * width + c] = moved(word<rest>(column + whole * group));
      }
    } else {
      for (int g = 0; g < whole; ++g) copy_group<Columns, group>(from + g * group * sum_step, panel + g * width);
      if constexpr (rest > 0)
        if (terms % group != 0) copy_group<Columns, rest>(from + whole * group * sum_step, panel + whole * width);
    }
  }
  EXPRAX_INLINE static std::int32_t moved(std::int32_t word) { return moves_panel ? word ^ sign_bits : word; }
  template <int Columns, int Count>
  EXPRAX_INLINE static void copy_group(columns_type const* from, std::int32_t* panel) {
    [&]<int... C, int... I>(std::integer_sequence<int, C...>, std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      auto const copy = [&](auto column) EXPRAX_LAMBDA_INLINE {
        constexpr int c = decltype(column)::value, count = Columns - c < L ? Columns - c : L;
        V words(moves_panel ? sign_bits : 0);
        ((words = words ^ (bits<count>(from + I * sum_step + c) << (32 / group * I))), ...);
        simd::store(words, panel + c);
      };
      (copy(std::integral_constant<int, C * L>()), ...);
    }(std::make_integer_sequence<int, (Columns + L - 1) / L>{}, std::make_integer_sequence<int, Count>{});
  }
  // The low bits of the first Count elements.
  template <int Count>
  EXPRAX_INLINE static V bits(columns_type const* from) {
    using U = std::conditional_t<sizeof(columns_type) == 1 && group == 4, std::uint8_t, columns_type>;
    U const* const p = reinterpret_cast<U const*>(from);
    V const wide = simd::convert<std::int32_t>(load_lanes<U, L, 1, Count>(p));
    if constexpr (group == 4) return wide;
    else return wide & V(0xffff);
  }

  // ---- Tiles

  template <int Columns, bool First>
  EXPRAX_INLINE static void run_rows(std::int32_t const* panel, rows_type const* s, T* out, int terms, std::ptrdiff_t first,
                                     std::ptrdiff_t end) {
    std::ptrdiff_t i = first;
    for (; i + most_rows <= end; i += most_rows)
      tile<most_rows, Columns, First>(panel, s + i * C::row_of_operand, out + i * C::row_of_out, terms);
    if constexpr (C::rows % most_rows != 0)
      if (i < end) tile<C::rows % most_rows, Columns, First>(panel, s + i * C::row_of_operand, out + i * C::row_of_out, terms);
  }
  template <int Rows, int Columns, bool First>
  EXPRAX_INLINE static void tile(std::int32_t const* panel, rows_type const* s, T* out, int terms) {
    constexpr int across = (Columns + L - 1) / L, last = Columns - (across - 1) * L;
    [&]<int... I, int... P>(std::integer_sequence<int, I...>, std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
      std::int32_t* const to[] = {place<I / across, I % across>(out)...};
      V sums[] = {begin<First, (I % across + 1 == across ? last : L)>(to[I])...};
      if constexpr (moves_panel) {
        V change[Rows];
        for (int r = 0; r < Rows; ++r) change[r] = V(change_of(s + r * C::row_of_operand, terms));
        ((sums[I] = sums[I] - change[I / across]), ...);
      }
      auto const add = [&](auto count, std::int32_t const* of, rows_type const* from) EXPRAX_LAMBDA_INLINE {
        V const column[] = {load(of + P * L)...};
        ((sums[I] = add_products(sums[I], column[I % across], V(word<decltype(count)::value>(from + (I / across) * C::row_of_operand)))),
         ...);
      };
      int const whole = terms / group;
      for (int g = 0; g < whole; ++g) add(std::integral_constant<int, group>(), panel + g * width, s + g * group);
      if constexpr (rest > 0)
        if (terms % group != 0) add(std::integral_constant<int, rest>(), panel + whole * width, s + whole * group);
      (end<(I % across + 1 == across ? last : L)>(sums[I], to[I]), ...);
    }(std::make_integer_sequence<int, Rows * across>{}, std::make_integer_sequence<int, across>{});
  }
  template <int Row, int Pack>
  EXPRAX_INLINE static std::int32_t* place(T* out) {
    return reinterpret_cast<std::int32_t*>(out + Row * C::row_of_out + Pack * L);
  }
  template <bool First, int Count>
  EXPRAX_INLINE static V begin(std::int32_t const* from) {
    if constexpr (First) return V(0);
    else if constexpr (Count == L) return load(from);
    else return simd::load_partial<std::int32_t, L>(from, Count);
  }
  template <int Count>
  EXPRAX_INLINE static void end(V sum, std::int32_t* to) {
    if constexpr (Count == L) simd::store(sum, to);
    else simd::store_partial(sum, to, Count);
  }
  // The first `count` neighbours of a sum in words; the others are 0.
  template <class E>
  EXPRAX_INLINE static V run_of(E const* p, int count) {
    auto const elements = count == at_once ? simd::load<E, at_once>(p) : simd::load_partial<E, at_once>(p, count);
    V words(0);
    using bits = simd::detail::vec<std::int32_t, 4 * L>;
    if constexpr (group == 4) words.reg[0] = (bits)elements.reg[0];
    else words.reg[0] = (bits)simd::convert<std::int16_t>(elements).reg[0];
    return words;
  }
  // What the change of the panel adds to the sums of a row.
  EXPRAX_INLINE static std::int32_t change_of(rows_type const* row, int terms) {
    V sum(0);
    int i = 0;
    for (; i + at_once <= terms; i += at_once) sum = add_products(sum, V(sign_bits), run_of(row + i, at_once));
    if (n % at_once != 0 && i < terms) sum = add_products(sum, V(sign_bits), run_of(row + i, terms - i));
    std::int32_t each[L];
    std::uint32_t change = 0;
    simd::store(sum, each);
    for (std::int32_t e : each) change += static_cast<std::uint32_t>(e);
    return static_cast<std::int32_t>(change);
  }
#endif
};

}  // namespace exprax::detail
