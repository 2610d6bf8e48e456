// SPDX-License-Identifier: BSL-1.0
// Products in blocked order of matrices whose rows meet in the cache. A strip of columns is copied, with the terms of each accumulator one
// after another, as tiles walk it; then all tiles of rows read it.
#pragma once

#include <exprax/emit/kernels/products/dot_tiles.hpp>
#include <exprax/emit/kernels/threads.hpp>

namespace exprax::detail {

// The contraction, of which a strip of Width columns is read from a panel.
template <class C, int Width>
struct contraction_of_panel : C {
  static constexpr int panel_width = Width;
};

template <class C, int L>
struct dot_block_panels {
  using T = typename C::type;
  static constexpr int sum_axis = C::walks.out_rank, width = C::tiles.panel;
  static constexpr std::ptrdiff_t n = C::walks.k_size, columns = C::walks.dims[C::tiles.column];
  static constexpr std::ptrdiff_t v_k = (C::tiles.from_lhs ? C::walks.lhs : C::walks.rhs)[sum_axis];
  static constexpr int rest = static_cast<int>(columns % width), at_last = (rest + L - 1) / L * L;  // may overlap the strip before it

  // v: the operand with columns, s: the one with rows. Threads share the tiles of a strip.
  template <bool Parallel>
  static void run(T const* v, T const* s, T* out, T* panel) {
    panel = simd::held(panel);
    for (std::ptrdiff_t j = 0; j + width <= columns; j += width) run_strip<Parallel, width>(v + j, s, out + j, panel);
    if constexpr (rest > 0) run_strip<Parallel, at_last>(v + (columns - at_last), s, out + (columns - at_last), panel);
  }

 private:
  template <bool Parallel, int Width>
  EXPRAX_INLINE static void run_strip(T const* v, T const* s, T* out, T* panel) {
    copy<Width>(v, panel, std::make_integer_sequence<int, Width / L>{});
    for_parts<Parallel>(parts_of_tiles<C>, [=](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      contract_column_block<contraction_of_panel<C, Width>, L, Width>(panel, s, out, first, end);
    });
  }
  template <int Width, int... P>
  EXPRAX_INLINE static void copy(T const* v, T* panel, std::integer_sequence<int, P...>) {
    constexpr std::ptrdiff_t terms = (n + dot_accumulators - 1) / dot_accumulators;
    for (int i = 0; i < dot_accumulators; ++i)
      for (std::ptrdiff_t k = i; k < n; k += dot_accumulators) {
        T* const to = panel + (i * terms + k / dot_accumulators) * Width;
        (simd::store(simd::load<T, L>(v + k * v_k + P * L), to + P * L), ...);
      }
  }
};

}  // namespace exprax::detail
