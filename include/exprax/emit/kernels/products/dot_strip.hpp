// SPDX-License-Identifier: BSL-1.0
// A vector times a matrix, in sequential order: a strip of columns at once, of a few rows of the matrix at once.
#pragma once

#include <exprax/emit/kernels/column_strips.hpp>
#include <exprax/emit/kernels/products/contraction.hpp>
#include <exprax/emit/kernels/products/half_elements.hpp>
#include <exprax/emit/kernels/threads.hpp>

namespace exprax::detail {

// Matrix: a pointer to elements of the result's dtype, or half_elements.
template <class C, int L, class Matrix = typename C::type const*>
struct dot_strip {
  using T = typename C::type;
  using V = simd::pack<T, L>;
  static constexpr int k_axis = C::walks.out_rank, rows_at_once = 8;
  static constexpr std::ptrdiff_t n = C::walks.k_size, row_of_matrix = (C::tiles.from_lhs ? C::walks.lhs : C::walks.rhs)[k_axis],
                                  step_of_vector = (C::tiles.from_lhs ? C::walks.rhs : C::walks.lhs)[k_axis];
  using strips = column_strips<C::walks.dims[C::tiles.column], L, C::tiles.strip>;
  V sums[strips::packs];

  // A strip: `count` packs from column `first` on.
  EXPRAX_INLINE void run(Matrix matrix, T const* vector, T* out, std::ptrdiff_t first, int count) {
    constexpr int head = n % rows_at_once == 0 ? rows_at_once : static_cast<int>(n % rows_at_once);
    add<head, true>(matrix, vector, first, count);
    for (std::ptrdiff_t k = head; k < n; k += rows_at_once)
      add<rows_at_once, false>(matrix + k * row_of_matrix, vector + k * step_of_vector, first, count);
    for (int p = 0; p < count; ++p) store_lanes<T, L, 1>(sums[p], out + strips::column(first, p));
  }

  // All columns.
  template <bool Parallel>
  EXPRAX_INLINE static void run_columns(Matrix matrix, T const* vector, T* out) {
    if constexpr (C::tiles.in_registers) run_in_registers(matrix, vector, out);
    else run_strips<Parallel>(matrix, vector, out);
  }

 private:
  // Strip after strip.
  template <bool Parallel>
  EXPRAX_INLINE static void run_strips(Matrix matrix, T const* vector, T* out) {
    auto const run = [&](auto const&... part) EXPRAX_LAMBDA_INLINE {
      dot_strip strip;
      strips::for_each(
          part..., [&](std::ptrdiff_t first, int count) EXPRAX_LAMBDA_INLINE { strip.run(matrix, vector, out, first, count); });
    };
    if constexpr (Parallel) for_parts<true>(strips::whole, run);
    else run();
  }
  // The same in registers.
  EXPRAX_INLINE static void run_in_registers(Matrix matrix, T const* vector, T* out) {
    [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
      auto const pack = [&](std::ptrdiff_t k, int p) EXPRAX_LAMBDA_INLINE {
        return load_pack<T, L>(matrix + k * row_of_matrix + strips::column(0, p));
      };
      V sums[] = {product<T, L>(V(vector[0]), pack(0, P))...};
      for (std::ptrdiff_t k = 1; k < n; ++k) {
        V const by(vector[k * step_of_vector]);
        ((sums[P] = multiply_add<T, L>(by, pack(k, P), sums[P])), ...);
      }
      (store_lanes<T, L, 1>(sums[P], out + strips::column(0, P)), ...);
    }(std::make_integer_sequence<int, strips::packs>{});
  }

  // First: these rows are the first ones.
  template <int Rows, bool First>
  EXPRAX_INLINE void add(Matrix matrix, T const* vector, std::ptrdiff_t first, int count) {
    [&]<int... R>(std::integer_sequence<int, R...>) EXPRAX_LAMBDA_INLINE {
      V const by[] = {V(vector[R * step_of_vector])...};
      for (int p = 0; p < count; ++p) {
        Matrix const at = matrix + strips::column(first, p);
        auto const row = [&](int r) EXPRAX_LAMBDA_INLINE { return load_pack<T, L>(at + r * row_of_matrix); };
        V sum = First ? product<T, L>(by[0], row(0)) : multiply_add<T, L>(by[0], row(0), sums[p]);
        ((sum = R == 0 ? sum : multiply_add<T, L>(by[R], row(R), sum)), ...);
        sums[p] = sum;
      }
    }(std::make_integer_sequence<int, Rows>{});
  }
};

}  // namespace exprax::detail
