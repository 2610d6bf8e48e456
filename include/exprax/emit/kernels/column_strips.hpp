// SPDX-License-Identifier: BSL-1.0
// Strips of columns, whose sums stay in a near cache, so that a matrix is read along its rows. One pack of columns after the other would
// read a cache line of each row.
#pragma once

#include <cstddef>

#include <exprax/base/config.hpp>

namespace exprax::detail {

// Width columns in packs of L, at most Strip columns at once. The last pack of a row overlaps the one before.
template <std::ptrdiff_t Width, int L, std::ptrdiff_t Strip>
struct column_strips {
  static constexpr int all = static_cast<int>((Width + L - 1) / L), most = static_cast<int>(Strip / L), packs = all < most ? all : most;

  EXPRAX_INLINE static constexpr std::ptrdiff_t column(std::ptrdiff_t first, int pack) {
    std::ptrdiff_t const x = first + static_cast<std::ptrdiff_t>(pack) * L;
    if constexpr (Width % L == 0) return x;
    else return x + L <= Width ? x : Width - L;
  }
  // Calls f(first column, number of packs) for each strip.
  template <class F>
  EXPRAX_INLINE static constexpr void for_each(F const& f) {
    if constexpr (packs == all) f(0, packs);
    else for_packs(0, all, f);
  }
  // The same for strips that threads share: of their whole packs. The last one is followed by the rest.
  static constexpr std::ptrdiff_t whole = Width / L;
  template <class F>
  EXPRAX_INLINE static constexpr void for_each(std::ptrdiff_t first, std::ptrdiff_t end, F const& f) {
    for_packs(static_cast<int>(first), end == whole ? all : static_cast<int>(end), f);
  }

 private:
  template <class F>
  EXPRAX_INLINE static constexpr void for_packs(int first, int end, F const& f) {
    for (int p = first; p < end; p += packs) f(static_cast<std::ptrdiff_t>(p) * L, end - p < packs ? end - p : packs);
  }
};

}  // namespace exprax::detail
