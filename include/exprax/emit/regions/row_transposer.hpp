// SPDX-License-Identifier: BSL-1.0
// Transposes rows in memory to packs with one element of each row, and back, in registers.
#pragma once

#include <exprax/emit/kernels/tile.hpp>
#include <exprax/emit/regions/registers.hpp>

namespace exprax::detail {

#if EXPRAX_SIMD
// Transposes rows in memory to packs with one element of each row, and back: 16-byte pieces of the rows are combined in registers, and the
// squares in them are transposed.
template <class T, int L>
struct row_transposer {
  using layout = simd::detail::layout<T, L>;
  static constexpr int bytes = layout::bytes, lanes = bytes / static_cast<int>(sizeof(T)), registers = layout::registers;
  static constexpr int side = 16 / static_cast<int>(sizeof(T)), pieces = lanes / side;
  static constexpr bool possible = (sizeof(T) == 4 || sizeof(T) == 8) && L * static_cast<int>(sizeof(T)) >= 16;
  using V = simd::detail::vec<T, bytes>;

  // In each piece: 0, 1: interleaves the lower or upper halves of a and b; 2, 3: concatenates them.
  template <int Kind, int... I>
  EXPRAX_INLINE static V mixed(V a, V b, std::integer_sequence<int, I...>) {
    constexpr int h = side / 2;
    if constexpr (Kind < 2) return simd::detail::shuffle<(I % 2 * lanes + I / side * side + Kind * h + I % side / 2)...>(a, b);
    else
      return simd::detail::shuffle<(I % side < h ? I / side * side + (Kind - 2) * h + I % side
                                                 : lanes + I / side * side + (Kind - 3) * h + I % side)...>(a, b);
  }
  template <int Kind>
  EXPRAX_INLINE static V mixed(V a, V b) {
    return mixed<Kind>(a, b, std::make_integer_sequence<int, lanes>{});
  }
  EXPRAX_INLINE static void transpose(V (&v)[side]) {
    if constexpr (side == 2) {
      V const low = mixed<0>(v[0], v[1]), high = mixed<1>(v[0], v[1]);
      v[0] = low, v[1] = high;
    } else {
      V const a = mixed<0>(v[0], v[1]), b = mixed<0>(v[2], v[3]), c = mixed<1>(v[0], v[1]), d = mixed<1>(v[2], v[3]);
      v[0] = mixed<2>(a, b), v[1] = mixed<3>(a, b), v[2] = mixed<2>(c, d), v[3] = mixed<3>(c, d);
    }
  }
  // N pieces, `apart` elements from each other.
  template <int N>
  EXPRAX_INLINE static raw<T, N * side> gathered(T const* p, std::ptrdiff_t apart) {
    if constexpr (N == 1) return load_raw<T, side>(p);
    else
      return simd::detail::joined(gathered<N / 2>(p, apart), gathered<N / 2>(p + N / 2 * apart, apart),
                                  std::make_integer_sequence<int, N * side>{});
  }
  template <int I>
  EXPRAX_INLINE static void scatter(V v, T* p, std::ptrdiff_t apart) {
    if constexpr (I < pieces) {
      store_raw<T, side>(simd::detail::part_of<I * side>(v, std::make_integer_sequence<int, side>{}), p + I * apart);
      scatter<I + 1>(v, p, apart);
    }
  }
  // As many elements as there are lanes, of as many rows: whole registers of rows, whose pieces are transposed in squares and then
  // exchanged. v[c][k] is element c * side + k of each row.
  static constexpr bool has_squares = pieces == 4;
  template <int... Q, int... I>
  EXPRAX_INLINE static V picked(V a, V b, std::integer_sequence<int, I...>) {
    constexpr int q[] = {Q...};
    return simd::detail::shuffle<(q[I / side] * side + I % side)...>(a, b);
  }
  template <int... Q>
  EXPRAX_INLINE static V picked(V a, V b) {
    return picked<Q...>(a, b, std::make_integer_sequence<int, lanes>{});
  }
  EXPRAX_INLINE static void transpose_pieces(V& a, V& b, V& c, V& d) {
    V const e = picked<0, 1, 4, 5>(a, b), f = picked<2, 3, 6, 7>(a, b), g = picked<0, 1, 4, 5>(c, d), h = picked<2, 3, 6, 7>(c, d);
    a = picked<0, 2, 4, 6>(e, g), b = picked<1, 3, 5, 7>(e, g), c = picked<0, 2, 4, 6>(f, h), d = picked<1, 3, 5, 7>(f, h);
  }
  EXPRAX_INLINE static void load_square(T const* p, std::ptrdiff_t stride, int u, V (&v)[pieces][side]) {
    for_packs<pieces>([&](auto g) EXPRAX_LAMBDA_INLINE {
      for_packs<side>([&](auto j) EXPRAX_LAMBDA_INLINE {
        constexpr int row = decltype(g)::value * side + decltype(j)::value;
        v[decltype(g)::value][decltype(j)::value] = (V)load_raw<T, lanes>(p + (u * lanes + row) * stride);
      });
      transpose(v[decltype(g)::value]);
    });
    for_packs<side>([&](auto k) EXPRAX_LAMBDA_INLINE {
      transpose_pieces(v[0][decltype(k)::value], v[1][decltype(k)::value], v[2][decltype(k)::value], v[3][decltype(k)::value]);
    });
  }
  EXPRAX_INLINE static void store_square(V (&v)[pieces][side], T* p, std::ptrdiff_t stride, int u) {
    for_packs<side>([&](auto k) EXPRAX_LAMBDA_INLINE {
      transpose_pieces(v[0][decltype(k)::value], v[1][decltype(k)::value], v[2][decltype(k)::value], v[3][decltype(k)::value]);
    });
    for_packs<pieces>([&](auto g) EXPRAX_LAMBDA_INLINE {
      transpose(v[decltype(g)::value]);
      for_packs<side>([&](auto j) EXPRAX_LAMBDA_INLINE {
        constexpr int row = decltype(g)::value * side + decltype(j)::value;
        store_raw<T, lanes>((raw<T, lanes>)v[decltype(g)::value][decltype(j)::value], p + (u * lanes + row) * stride);
      });
    });
  }

  // Register u of `side` packs, which hold elements 0, 1, ... of rows with the given stride.
  EXPRAX_INLINE static void load(T const* p, std::ptrdiff_t stride, int u, V (&v)[side]) {
    for_packs<side>([&](auto j) EXPRAX_LAMBDA_INLINE {
      v[decltype(j)::value] = (V)gathered<pieces>(p + (u * lanes + decltype(j)::value) * stride, side * stride);
    });
    transpose(v);
  }
  EXPRAX_INLINE static void store(V (&v)[side], T* p, std::ptrdiff_t stride, int u) {
    transpose(v);
    for_packs<side>([&](auto j) EXPRAX_LAMBDA_INLINE {
      scatter<0>(v[decltype(j)::value], p + (u * lanes + decltype(j)::value) * stride, side * stride);
    });
  }
};
#endif

template <int N>
using number_of = std::integral_constant<int, N>;
template <int First, bool Square>
struct transposed_part {
  static constexpr int first = First;
  static constexpr bool is_square = Square;
};
// The parts in which N elements of each row are transposed: squares, then strips as wide as a piece, the last of which overlaps the one
// before if the elements do not fill it.
template <class Rows, int N, class F>
EXPRAX_INLINE void for_transposed_parts(F const& f) {
  constexpr int squares = Rows::has_squares ? N / Rows::lanes : 0, left = N - squares * Rows::lanes;
  for_packs<squares>([&](auto i) EXPRAX_LAMBDA_INLINE { f(transposed_part<decltype(i)::value * Rows::lanes, true>{}); });
  for_packs<(left + Rows::side - 1) / Rows::side>([&](auto i) EXPRAX_LAMBDA_INLINE {
    constexpr int at = squares * Rows::lanes + decltype(i)::value * Rows::side;
    f(transposed_part<(at + Rows::side <= N ? at : N - Rows::side), false>{});
  });
}

}  // namespace exprax::detail
