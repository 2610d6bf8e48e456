// SPDX-License-Identifier: BSL-1.0
// Products of large matrices in sequential order. A panel, some terms of the sum for some strips of columns, is copied, so that each strip
// is contiguous; then tiles of rows walk it. From panel to panel the sums continue in the result.
#pragma once

#include <exprax/emit/kernels/products/contraction.hpp>
#include <exprax/emit/kernels/products/epilogue.hpp>
#include <exprax/emit/kernels/threads.hpp>

namespace exprax::detail {

template <class C, int L>
struct dot_panels {
  using T = typename C::type;
  using V = simd::pack<T, L>;
  static constexpr int sum_axis = C::walks.out_rank, packs = C::tiles.packs, width = packs * L;
  static constexpr std::ptrdiff_t n = C::walks.k_size, columns = C::walks.dims[C::tiles.column], depth = C::tiles.depth;
  static constexpr std::ptrdiff_t v_k = (C::tiles.from_lhs ? C::walks.lhs : C::walks.rhs)[sum_axis];
  static constexpr std::ptrdiff_t s_k = (C::tiles.from_lhs ? C::walks.rhs : C::walks.lhs)[sum_axis];
  // Strips of all packs, then some of `last_packs`, of which the last one may have few columns in its last pack.
  static constexpr std::ptrdiff_t all_packs = (columns + L - 1) / L, left = all_packs % packs;
  static constexpr bool shares_last = left == 1 && packs == 3;  // 3 + 1 packs are 2 + 2
  static constexpr std::ptrdiff_t whole = all_packs / packs - shares_last, strips = whole + (shares_last ? 2 : left > 0);
  static constexpr int last_packs = shares_last ? 2 : left > 0 ? static_cast<int>(left) : packs;
  static constexpr int in_last = static_cast<int>(columns - (all_packs - 1) * L);  // columns of the last pack
  static constexpr std::ptrdiff_t strips_at_once = C::tiles.panel / width;
  // Tiles of about the same number of rows; the tiles of a block walk the panel together, so that their rows stay in a near cache.
  static constexpr int most_rows = C::tiles.rows[packs - 1];
  static constexpr std::ptrdiff_t tiles = (C::rows + most_rows - 1) / most_rows, tiles_at_once = C::tiles.block;
  static constexpr std::ptrdiff_t blocks = (tiles + tiles_at_once - 1) / tiles_at_once;
  static constexpr int rows = static_cast<int>(C::rows / tiles);  // of a tile, or one more
  static constexpr std::ptrdiff_t higher = C::rows % tiles;       // so many tiles have one more

  // v: the operand with columns, s: the one with rows. Threads share the strips of a panel, then its blocks of tiles.
  template <bool Parallel, class Out>
  static void run(T const* v, T const* s, Out out, T* panel) {
    panel = simd::held(panel);
    for (std::ptrdiff_t j = 0; j < strips; j += strips_at_once)
      for (std::ptrdiff_t k = 0; k < n; k += depth) {
        std::ptrdiff_t const count = strips - j < strips_at_once ? strips - j : strips_at_once, terms = n - k < depth ? n - k : depth;
        for_parts<Parallel>(count, [=](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
          for (std::ptrdiff_t i = first; i < end; ++i)
            with_strip(j + i, [=](auto across, auto last, std::ptrdiff_t column) EXPRAX_LAMBDA_INLINE {
              copy<across(), last()>(v + column + k * v_k, terms, panel + i * (depth * width));
            });
        });
        for_parts<Parallel>(blocks * count, [=](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
          for (std::ptrdiff_t b = first; b < end; ++b)
            with_strip(j + b % count, [=](auto across, auto last, std::ptrdiff_t column) EXPRAX_LAMBDA_INLINE {
              std::ptrdiff_t const tile = b / count * tiles_at_once, tile_end = tile + tiles_at_once < tiles ? tile + tiles_at_once : tiles;
              run_tiles<across(), last()>(panel + b % count * (depth * width), s + k * s_k, out + column, k == 0, terms, tile, tile_end);
            });
        });
      }
  }

 private:
  // Calls f(packs, columns of the last pack, first column) for strip i.
  template <class F>
  EXPRAX_INLINE static void with_strip(std::ptrdiff_t i, F const& f) {
    using all = std::integral_constant<int, packs>;
    using few = std::integral_constant<int, last_packs>;
    using full = std::integral_constant<int, L>;
    if (i + (whole == strips && in_last < L) < whole) f(all(), full(), i * width);
    else if (in_last == L || i + 1 < strips) f(few(), full(), whole * width + (i - whole) * (last_packs * L));
    else f(few(), std::integral_constant<int, in_last>(), (all_packs - last_packs) * L);
  }
  template <int Packs, int Last, int... P>
  EXPRAX_INLINE static void copy(T const* from, std::ptrdiff_t terms, T* panel, std::integer_sequence<int, P...>) {
    for (std::ptrdiff_t k = 0; k < terms; ++k)
      (simd::store(load<P + 1 == Packs ? Last : L>(from + k * v_k + P * L), panel + (k * Packs + P) * L), ...);
  }
  template <int Packs, int Last>
  EXPRAX_INLINE static void copy(T const* from, std::ptrdiff_t terms, T* panel) {
    copy<Packs, Last>(from, terms, panel, std::make_integer_sequence<int, Packs>{});
  }
  template <int Count>
  EXPRAX_INLINE static V load(T const* from) {
    if constexpr (Count == L) return simd::load<T, L>(from);
    else return simd::load_partial<T, L>(from, Count);
  }
  template <int Packs, int Last, class Out>
  EXPRAX_INLINE static void run_tiles(T const* panel, T const* s, Out out, bool is_first, std::ptrdiff_t terms, std::ptrdiff_t first,
                                      std::ptrdiff_t end) {
    for (std::ptrdiff_t t = first; t < end; ++t) {
      std::ptrdiff_t const row = t * rows + (t < higher ? t : higher);
      T const* const from = s + row * C::row_of_operand;
      Out const to = begin_tile(out + row * C::row_of_out);
      if (higher > 0 && t < higher) tile<rows + (higher > 0), Packs, Last>(panel, from, to, is_first, terms);
      else tile<rows, Packs, Last>(panel, from, to, is_first, terms);
    }
  }
  // is_first: the sums begin with these terms. Otherwise they continue in the result.
  template <int Rows, int Packs, int Last, class Out>
  EXPRAX_INLINE static void tile(T const* panel, T const* s, Out out, bool is_first, std::ptrdiff_t terms) {
    [&]<int... I, int... P>(std::integer_sequence<int, I...>, std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
      V sums[Rows * Packs];
      bool const begins = depth >= n || is_first;
      if (begins) {
        V const column[] = {simd::held(simd::load<T, L>(panel + P * L))...};
        ((sums[I] = product<T, L>(V(s[I / Packs * C::row_of_operand]), column[I % Packs])), ...);
      } else if constexpr (depth < n) {
        ((sums[I] = load<I % Packs + 1 == Packs ? Last : L>(out + I / Packs * C::row_of_out + I % Packs * L)), ...);
      }
      for (std::ptrdiff_t k = begins; k < terms; ++k) {
        V const column[] = {simd::load<T, L>(panel + (k * Packs + P) * L)...};
        ((sums[I] = multiply_add<T, L>(V(s[k * s_k + I / Packs * C::row_of_operand]), column[I % Packs], sums[I])), ...);
      }
      (store_result<T, L, (I % Packs + 1 == Packs ? Last : L)>(sums[I], out + (I / Packs * C::row_of_out + I % Packs * L)), ...);
    }(std::make_integer_sequence<int, Rows * Packs>{}, std::make_integer_sequence<int, Packs>{});
  }
};

}  // namespace exprax::detail
