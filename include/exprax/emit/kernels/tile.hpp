// SPDX-License-Identifier: BSL-1.0
// Loops whose last axis is strided in memory: a transposed operand is read in square blocks, transposed in registers, and kept in a small
// tile on the stack that the rows then read. A gather costs four to five times as much.
#pragma once

#include <bit>

#include <exprax/emit/kernels/steps.hpp>

namespace exprax::detail {

// The whole tiles along the last axis but one.
template <class Plan, int Box, int Rank>
inline constexpr std::ptrdiff_t whole_tiles = Plan::storage.boxes[Box].extent[Rank - 2] / Plan::storage.boxes[Box].tile;

#if EXPRAX_SIMD
// Rows of N elements in registers.
template <class T, int N>
struct block_rows {
  raw<T, N> of[N];
};
// Rows transposed in Steps steps of the perfect shuffle of all their elements, of which N have log2(N).
template <int Steps, class T, int N, int... I>
EXPRAX_INLINE block_rows<T, N> shuffled(block_rows<T, N> const& rows, std::integer_sequence<int, I...> all) {
  if constexpr (Steps == 0) return rows;
  else return shuffled<Steps - 1>(block_rows<T, N>{{interleaved<I % 2, N>(all, rows.of[I / 2], rows.of[I / 2 + N / 2])...}}, all);
}
// Element x of row y is from[y + x * stride], for x and y in [0, N).
template <class T, int N>
EXPRAX_INLINE block_rows<T, N> transposed_block(T const* from, std::ptrdiff_t stride) {
  if constexpr (sizeof(T) <= 2) {
    return [&]<int... I>(std::integer_sequence<int, I...> all) EXPRAX_LAMBDA_INLINE {
      return shuffled<std::bit_width(unsigned{N}) - 1>(block_rows<T, N>{{load_raw<T, N>(from + I * stride)...}}, all);
    }(std::make_integer_sequence<int, N>{});
  } else if constexpr (sizeof(T) == 4 && N == 4) {
    raw<T, 4> const a0 = load_raw<T, 4>(from), a1 = load_raw<T, 4>(from + stride), a2 = load_raw<T, 4>(from + 2 * stride),
                    a3 = load_raw<T, 4>(from + 3 * stride);
    raw<T, 4> const b0 = __builtin_shufflevector(a0, a1, 0, 4, 1, 5), b1 = __builtin_shufflevector(a0, a1, 2, 6, 3, 7);
    raw<T, 4> const b2 = __builtin_shufflevector(a2, a3, 0, 4, 1, 5), b3 = __builtin_shufflevector(a2, a3, 2, 6, 3, 7);
    return {{__builtin_shufflevector(b0, b2, 0, 1, 4, 5), __builtin_shufflevector(b0, b2, 2, 3, 6, 7),
             __builtin_shufflevector(b1, b3, 0, 1, 4, 5), __builtin_shufflevector(b1, b3, 2, 3, 6, 7)}};
  } else {
    block_rows<T, N> rows;
    auto const half = [&](auto h) EXPRAX_LAMBDA_INLINE {
      constexpr int first = decltype(h)::value * N / 2;
      auto pair = [&](int x) EXPRAX_LAMBDA_INLINE {
        raw<T, N / 2> const low = load_raw<T, N / 2>(from + first + x * stride),
                            high = load_raw<T, N / 2>(from + first + (x + N / 2) * stride);
        return beside<T, N / 2>(low, high);
      };
      if constexpr (sizeof(T) == 4) {
        raw<T, 8> const a0 = pair(0), a1 = pair(1), a2 = pair(2), a3 = pair(3);
        raw<T, 8> const b0 = __builtin_shufflevector(a0, a1, 0, 8, 1, 9, 4, 12, 5, 13),
                        b1 = __builtin_shufflevector(a0, a1, 2, 10, 3, 11, 6, 14, 7, 15);
        raw<T, 8> const b2 = __builtin_shufflevector(a2, a3, 0, 8, 1, 9, 4, 12, 5, 13),
                        b3 = __builtin_shufflevector(a2, a3, 2, 10, 3, 11, 6, 14, 7, 15);
        rows.of[first] = __builtin_shufflevector(b0, b2, 0, 1, 8, 9, 4, 5, 12, 13);
        rows.of[first + 1] = __builtin_shufflevector(b0, b2, 2, 3, 10, 11, 6, 7, 14, 15);
        rows.of[first + 2] = __builtin_shufflevector(b1, b3, 0, 1, 8, 9, 4, 5, 12, 13);
        rows.of[first + 3] = __builtin_shufflevector(b1, b3, 2, 3, 10, 11, 6, 7, 14, 15);
      } else {
        raw<T, 4> const a0 = pair(0), a1 = pair(1);
        rows.of[first] = __builtin_shufflevector(a0, a1, 0, 4, 2, 6);
        rows.of[first + 1] = __builtin_shufflevector(a0, a1, 1, 5, 3, 7);
      }
    };
    half(std::integral_constant<int, 0>{});
    half(std::integral_constant<int, 1>{});
    return rows;
  }
}
// Row Y of blocks side by side.
template <int Y, class T, int N>
EXPRAX_INLINE raw<T, N> joined_row(block_rows<T, N> const& a) {
  return a.of[Y];
}
template <int Y, class T, int N>
EXPRAX_INLINE raw<T, 2 * N> joined_row(block_rows<T, N> const& a, block_rows<T, N> const& b) {
  return beside<T, N>(a.of[Y], b.of[Y]);
}
template <int Y, class T, int N>
EXPRAX_INLINE raw<T, 4 * N> joined_row(block_rows<T, N> const& a, block_rows<T, N> const& b, block_rows<T, N> const& c,
                                       block_rows<T, N> const& d) {
  return beside<T, 2 * N>(joined_row<Y>(a, b), joined_row<Y>(c, d));
}
// to[y * pitch + x] = from[y + x * stride], for y in [0, N) and x in [0, N * number of Parts). A row is written whole, as it will be read:
// processors wait where they load what has just been stored in two parts.
template <class T, int N, int... Part>
EXPRAX_INLINE void transpose_blocks(T const* from, std::ptrdiff_t stride, T* to, std::ptrdiff_t pitch,
                                    std::integer_sequence<int, Part...>) {
  auto const store = [&](auto const&... blocks) EXPRAX_LAMBDA_INLINE {
    [&]<int... Y>(std::integer_sequence<int, Y...>) EXPRAX_LAMBDA_INLINE {
      (store_raw<T, N * sizeof...(Part)>(joined_row<Y>(blocks...), to + Y * pitch), ...);
    }(std::make_integer_sequence<int, N>{});
  };
  store(transposed_block<T, N>(from + Part * N * stride, stride)...);
}
template <class T, int Rows, int L>
struct tile {
  alignas(64) T of[Rows * L];
};

// The tiles of a box's transposed loads, and pointers that are redirected to them.
template <class Plan, int Access, int Rank, int Rows, int L>
struct transposed_operand {
  using type = element_t<Plan::storage.buffers[Plan::storage.accesses[Access].buffer].type>;
  using word = std::conditional_t<(sizeof(type) <= 2), simd::detail::bits_of<type>, type>;
  static constexpr int block = Plan::storage.accesses[Access].block;
  static constexpr bool transposed = block > 0;
  tile<type, transposed ? Rows : 1, transposed ? L : 1> t;

  EXPRAX_INLINE void fill(type const* p, std::ptrdiff_t x) {
    if constexpr (transposed) {
      constexpr std::ptrdiff_t stride = Plan::storage.accesses[Access].stride[Rank - 1];
      constexpr int parts = [] {
        int n = 1;
        while (n < 4 && L % (2 * n * block) == 0 && 2 * n * block * static_cast<int>(sizeof(type)) <= simd::register_bytes) n *= 2;
        return n;
      }();
      for (int i = 0; i < L; i += parts * block)
        for (int j = 0; j < Rows; j += block)
          transpose_blocks<word, block>(reinterpret_cast<word const*>(p) + (x + i) * stride + j, stride,
                                        reinterpret_cast<word*>(t.of) + j * L + i, L, std::make_integer_sequence<int, parts>{});
    }
  }
};

template <class Plan, int Rank, int Rows, int L, int... Access>
struct transposed_operands : transposed_operand<Plan, Access, Rank, Rows, L>... {
  template <class Pointers>
  EXPRAX_INLINE void fill(Pointers const& at, std::ptrdiff_t x) {
    (static_cast<transposed_operand<Plan, Access, Rank, Rows, L>&>(*this).fill(at.template at<Access>(), x), ...);
  }
};

// Pointers for row j of a tile at column x: transposed loads read the tile.
template <class Plan, int Rows, int L, class Pointers, class Operands>
struct tile_pointers {
  static constexpr bool in_strips = false;
  Pointers const& base;
  Operands const& operands;
  std::ptrdiff_t j;

  template <int A>
  static constexpr bool transposed = Plan::storage.accesses[A].block > 0;
  template <int A, int Rank>
  static constexpr std::ptrdiff_t stride = transposed<A> ? 1 : Plan::storage.accesses[A].stride[Rank - 1];
  template <int A, int Rank>
  static constexpr int place = place_in_group<Plan, A, Rank>;
  template <int A, int Rank>
  EXPRAX_INLINE auto* lane(std::ptrdiff_t x) const {
    if constexpr (transposed<A>) {
      using operand = transposed_operand<Plan, A, Rank, Rows, L>;
      return const_cast<typename operand::type*>(static_cast<operand const&>(operands).t.of + j * L);
    } else {
      return base.template at<A>() + j * Plan::storage.accesses[A].stride[Rank - 2] + x * stride<A, Rank>;
    }
  }
};

template <class Plan, int Rank, int Rows, int L, int... Access>
constexpr auto operands_for(row_pointers<Plan, Access...> const&) -> transposed_operands<Plan, Rank, Rows, L, Access...>;

// The tiles of the last two axes, of the rows of tiles `first` to `end`; the last one is followed by the rest, which overlaps it.
template <class Plan, int Box, int Rank, int L, class Env>
EXPRAX_INLINE void run_tiles(Env const& env, std::ptrdiff_t* index, std::ptrdiff_t first, std::ptrdiff_t end) {
  constexpr int rows = Plan::storage.boxes[Box].tile;
  constexpr box const& b = Plan::storage.boxes[Box];
  constexpr std::ptrdiff_t y_end = b.lo[Rank - 2] + b.extent[Rank - 2], x_end = b.lo[Rank - 1] + b.extent[Rank - 1];
  using pointers = box_pointers<Plan, Box, Rank>;
  std::ptrdiff_t const stop = end == whole_tiles<Plan, Box, Rank> ? y_end : b.lo[Rank - 2] + end * rows;
  for (std::ptrdiff_t y = b.lo[Rank - 2] + first * rows; y < stop; y += rows) {
    index[Rank - 2] = y + rows <= y_end ? y : y_end - rows;
    std::ptrdiff_t const top = index[Rank - 2];
    auto const at = pointers::template make<Rank>(env, index);
    for (std::ptrdiff_t x = b.lo[Rank - 1]; x < x_end; x += L) {
      std::ptrdiff_t const left = x + L <= x_end ? x : x_end - L;
      decltype(operands_for<Plan, Rank, rows, L>(at)) operands;
      operands.fill(at, left);
      for (std::ptrdiff_t j = 0; j < rows; ++j) {
        index[Rank - 2] = top + j;
        tile_pointers<Plan, rows, L, pointers, decltype(operands)> const row{at, operands, j};
        registers<Plan, Box, L> r;
        run_all_steps<Plan, b.step, b.n_step, L, Rank, L, phase::all>(r, env, row, index, left);
      }
    }
  }
}
#endif

}  // namespace exprax::detail
