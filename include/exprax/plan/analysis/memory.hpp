// SPDX-License-Identifier: BSL-1.0
// The static memory plan: each scratch buffer is live from the first kernel that writes it to the last that reads it, and buffers with
// disjoint live ranges share bytes. Offsets are multiples of 64.
#pragma once

#include <exprax/plan/analysis/uses.hpp>

namespace exprax::detail {

class memory_planner {
 public:
  constexpr explicit memory_planner(plan& p) : p_(p) {
    first_.resize(p.buffers.size(), -1);
    last_.resize(p.buffers.size(), -1);
  }

  constexpr void run() {
    walk(p_.main);
    assign();
    int of_type[dtype_count] = {};
    for (buffer& b : p_.buffers) b.slot = of_type[static_cast<int>(b.type)]++;
  }

 private:
  constexpr void touch(int buffer) {
    if (first_[buffer] < 0) first_[buffer] = time_;
    last_[buffer] = time_;
  }
  struct toucher {
    memory_planner& m;
    constexpr void operator()(int buffer, use_kind) const { m.touch(buffer); }
  };

  constexpr void walk(kernel_range r) {
    toucher t{*this};
    use_walker<plan, toucher> uses(p_, t);
    for (int i = r.first; i < r.first + r.count; ++i, ++time_) {
      kernel const k = p_.kernels[i];
      int const start = time_;
      uses.own(k);
      bool nested = false;
      uses.for_nested(k, [&](kernel_range inner) {
        nested = true;
        ++time_;
        walk(inner);
      });
      if (!nested) continue;
      uses.own(k);
      // Buffers that are live before a loop and used in it are live until the loop ends.
      if (k.kind == kernel_kind::branch) continue;
      for (int b = 0; b < first_.size(); ++b)
        if (first_[b] >= 0 && first_[b] <= start && last_[b] > start) last_[b] = time_;
    }
  }

  constexpr void assign() {
    arena<int> order;
    for (int b = 0; b < p_.buffers.size(); ++b)
      if (p_.buffers[b].where == storage_class::scratch && first_[b] >= 0 && p_.buffers[b].size > 0) order.push(b);
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
          if (last_[o] < first_[b] || last_[b] < first_[o]) continue;
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
  arena<int> first_, last_;
  int time_ = 0;
};

}  // namespace exprax::detail
