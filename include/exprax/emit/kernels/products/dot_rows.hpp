// SPDX-License-Identifier: BSL-1.0
// Sums of products in blocked order, of operands that are contiguous along k, such as a matrix times a vector or a few columns: a few rows
// at once, because each sum waits for the one before.
#pragma once

#include <exprax/emit/kernels/products/contraction.hpp>
#include <exprax/emit/kernels/products/half_elements.hpp>
#include <exprax/emit/kernels/threads.hpp>

namespace exprax::detail {

template <class C, int L>
struct dot_rows {
  using T = typename C::type;
  using V = simd::pack<T, L>;
  static constexpr int packs = dot_accumulators / L;
  static constexpr std::ptrdiff_t n = C::walks.k_size, whole = n / dot_accumulators * dot_accumulators;
  static constexpr bool has_columns = C::tiles.has_rows && C::tiles.column != C::tiles.row;
  static constexpr std::ptrdiff_t columns = has_columns ? C::walks.dims[C::tiles.column] : 1;
  static constexpr std::ptrdiff_t l_row = C::tiles.has_rows ? C::walks.lhs[C::tiles.row] : 0,
                                  r_row = C::tiles.has_rows ? C::walks.rhs[C::tiles.row] : 0;
  static constexpr std::ptrdiff_t l_column = has_columns ? C::walks.lhs[C::tiles.column] : 0,
                                  r_column = has_columns ? C::walks.rhs[C::tiles.column] : 0,
                                  column_of_out = has_columns ? C::walks.out[C::tiles.column] : 0;

  // All rows. Lhs, Rhs: pointers to elements, or half_elements.
  template <bool Parallel, class Lhs, class Rhs>
  EXPRAX_INLINE static void run(Lhs l, Rhs r, T* out) {
    constexpr std::ptrdiff_t at_once = C::tiles.rows[0], groups = C::rows < at_once ? 1 : C::rows / at_once;
    for_parts<Parallel>(groups, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      run_rows<at_once>(l, r, out, first * at_once, end == groups ? C::rows : end * at_once);
    });
  }

 private:
  // From `first` to `end` of the rows, Rows of them at once, then fewer: half as many, and of four rows that threes leave two. A thread's
  // part is so many, the last one up to the end.
  template <int Rows, class Lhs, class Rhs>
  EXPRAX_INLINE static void run_rows(Lhs l, Rhs r, T* out, std::ptrdiff_t first, std::ptrdiff_t end) {
    for (; first + Rows <= end && !(Rows == 3 && first + 4 == end); first += Rows)
      for (std::ptrdiff_t j = 0; j < columns; ++j) {
        T lanes[L];
        store_lanes<T, L, 1>(sums<Rows>(l + (first * l_row + j * l_column), r + (first * r_row + j * r_column)), lanes);
        for (int i = 0; i < Rows; ++i) out[(first + i) * C::row_of_out + j * column_of_out] = lanes[i];
      }
    if constexpr (C::rows % Rows != 0) run_rows<(Rows + 1) / 2>(l, r, out, first, end);
  }
  // A block of each row times that of a vector, whose packs are held in a register one after the other: g++ would load them for each row.
  template <int... I, int... P, class Matrix, class Vector>
  EXPRAX_INLINE static void add_products(Matrix rows, std::ptrdiff_t row, Vector vector, V* s, std::integer_sequence<int, P...>) {
    auto const add_pack = [&]<int At>(std::integral_constant<int, At>) EXPRAX_LAMBDA_INLINE {
      V const of_vector = simd::held(load_pack<T, L>(vector + At * L));
      auto const add = [&](int i) EXPRAX_LAMBDA_INLINE {
        if (i % packs == At) s[i] = multiply_add<T, L>(load_pack<T, L>(rows + i / packs * row + At * L), of_vector, s[i]);
      };
      (add(I), ...);
    };
    (add_pack(std::integral_constant<int, P>()), ...);
  }
  // The sums of the rows, in the first lanes.
  template <int Rows, class Lhs, class Rhs>
  EXPRAX_INLINE static V sums(Lhs l, Rhs r) {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      V s[] = {(static_cast<void>(I), V(T(0)))...};  // of row I / packs, pack I % packs
      for (std::ptrdiff_t k = 0; k < whole; k += dot_accumulators) {
        if constexpr (r_row == 0) add_products<I...>(l + k, l_row, r + k, s, std::make_integer_sequence<int, packs>{});
        else if constexpr (l_row == 0) add_products<I...>(r + k, r_row, l + k, s, std::make_integer_sequence<int, packs>{});
        else
          ((s[I] = multiply_add<T, L>(load_pack<T, L>(l + I / packs * l_row + k + I % packs * L),
                                      load_pack<T, L>(r + I / packs * r_row + k + I % packs * L), s[I])),
           ...);
      }
      (add_last<I % packs>(l + I / packs * l_row + whole, r + I / packs * r_row + whole, s[I]), ...);
      constexpr int in_pack = Rows == 3 ? 4 : Rows;
      return lane_sums<T, L, in_pack>([&]<int Row>(std::integral_constant<int, Row>) EXPRAX_LAMBDA_INLINE {
        return row_sum<0, 1>(s + (Row < Rows ? Row : 0) * packs);
      });
    }(std::make_integer_sequence<int, Rows * packs>{});
  }
  // The elements behind the last whole block.
  template <int P, class Lhs, class Rhs>
  EXPRAX_INLINE static void add_last(Lhs l, Rhs r, V& sum) {
    constexpr int count = static_cast<int>(n - whole) - P * L;
    if constexpr (count >= L) {
      sum = multiply_add<T, L>(load_pack<T, L>(l + P * L), load_pack<T, L>(r + P * L), sum);
    } else if constexpr (count > 0) {
      V const a = load_first<T, L>(l + P * L, count), b = load_first<T, L>(r + P * L, count);
      V const more = multiply_add<T, L>(a, b, sum);
      sum = select(simd::first_lanes<T, L>(count), more, sum);
    }
  }

  // Accumulator I when N of a row are left.
  template <int I, int N>
  EXPRAX_INLINE static V row_sum(V const* s) {
    if constexpr (N == packs) return s[I];
    else return plus<T, L>(row_sum<I, 2 * N>(s), row_sum<I + N, 2 * N>(s));
  }
};

}  // namespace exprax::detail
