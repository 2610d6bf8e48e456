// SPDX-License-Identifier: BSL-1.0
// The panels of large products: parts of the operand with columns that are copied, so that a strip of columns is contiguous.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/plan/data/plan.hpp>
#include <exprax/primitives/contractions/contraction.hpp>

namespace exprax::detail::planning {

// For tiles whose rows and packs are chosen. Panels are copied where many rows read that operand, and a strip fills more than the nearest
// cache. A row of the strip takes as much of the cache as the largest power of two in the distance of the rows, because others push it out.
// In sequential order the operand must be large, too: wide registers wait less often. The strips of a panel stay in a near cache, and so do
// the rows of a block of tiles. In blocked order, whose tiles are smaller, a panel is one strip: the terms of each accumulator together.
constexpr void choose_panels(contract_kernel const& k, target const& machine, contract_tiles& t) {
  constexpr std::ptrdiff_t farthest = 4096, most = 1 << 20;  // bytes
  constexpr std::ptrdiff_t least = 128;                      // bytes for each square byte of a register, as measured
  constexpr int fewest_rows = 32, rows_at_once = 64, most_terms = 512;
  contract_walks const& w = k.walks;
  std::ptrdiff_t const bytes = size_of(k.type), width = t.packs * t.lanes, columns = w.dims[t.column];
  if (!t.has_rows || w.k_rank != 1 || is_bool(k.type) || w.dims[t.row] < fewest_rows || columns < width) return;
  if (!k.blocked && w.k_size * columns * bytes < least * machine.register_bytes * machine.register_bytes) return;
  std::ptrdiff_t const row = (t.from_lhs ? w.lhs : w.rhs)[w.out_rank] * bytes;
  std::ptrdiff_t room = farthest;
  while (row % room != 0) room /= 2;
  if (room < width * bytes) room = width * bytes;
  if (w.k_size * room <= machine.nearest_cache) return;
  if (k.blocked) {
    t.depth = static_cast<int>((w.k_size + dot_accumulators - 1) / dot_accumulators * dot_accumulators);
    t.panel = static_cast<int>(width);
    return;
  }
  auto const even = [](std::ptrdiff_t n, std::ptrdiff_t most_of_part) {
    std::ptrdiff_t const parts = (n + most_of_part - 1) / most_of_part;
    return (n + parts - 1) / parts;
  };
  t.depth = static_cast<int>(even(w.k_size, most_terms));
  t.panel = static_cast<int>(even((columns + width - 1) / width, most / (t.depth * width * bytes)) * width);
  t.block = rows_at_once / t.rows[t.packs - 1];
}

}  // namespace exprax::detail::planning
