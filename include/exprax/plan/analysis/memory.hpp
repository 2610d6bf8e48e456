// SPDX-License-Identifier: BSL-1.0
// The static memory plan: each scratch buffer is live from the first kernel that writes it to the last that reads it, and buffers with
// disjoint live ranges share bytes. Offsets are multiples of 64.
#pragma once

#include <exprax/plan/analysis/buffer_lives.hpp>

namespace exprax::detail {

class memory_planner {
 public:
  constexpr explicit memory_planner(plan& p) : p_(p), lives_(p, p.buffers.size()) {}

  constexpr void run() {
    lives_.walk(p_.main);
    assign();
    int of_type[dtype_count] = {};
    for (buffer& b : p_.buffers) b.slot = of_type[static_cast<int>(b.type)]++;
  }

 private:
  constexpr void assign() {
    arena<int> order;
    for (int b = 0; b < p_.buffers.size(); ++b)
      if (p_.buffers[b].where == storage_class::scratch && lives_.is_used(b) && p_.buffers[b].size > 0) order.push(b);
    // larger ones first: they leave the fewest gaps
    for (int i = 1; i < order.size(); ++i)
      for (int j = i; j > 0 && bytes(order[j - 1]) < bytes(order[j]); --j) {
        int const t = order[j];
        order[j] = order[j - 1];
        order[j - 1] = t;
      }
    for (int i = 0; i < order.size(); ++i) {
      int const b = order[i];
      std::ptrdiff_t at = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (int j = 0; j < i; ++j) {
          int const o = order[j];
          if (!lives_.meet(o, b)) continue;
          std::ptrdiff_t const begin = p_.buffers[o].offset, end = begin + bytes(o);
          if (at < end && begin < at + bytes(b)) {
            at = end;
            moved = true;
          }
        }
      }
      p_.buffers[b].offset = at;
      if (at + bytes(b) > p_.scratch) p_.scratch = at + bytes(b);
    }
  }
  constexpr std::ptrdiff_t bytes(int b) const { return (p_.buffers[b].size * size_of(p_.buffers[b].type) + 63) / 64 * 64; }

  plan& p_;
  buffer_lives<plan> lives_;
};

}  // namespace exprax::detail
