// SPDX-License-Identifier: BSL-1.0
// How many bytes of a lane's registers hold wide values at once in an iteration of a loop. It determines how many packs of rows run
// together.
#pragma once

#include <exprax/base/arena.hpp>
#include <exprax/base/span.hpp>
#include <exprax/plan/data/region.hpp>

namespace exprax::detail::planning {

class live_values {
 public:
  constexpr explicit live_values(arena<int> const& tables) : tables_(tables) {}

  // steps, moves: of a block. Raises k.live, and k.carried by what iterations change; the rest is read from memory for little.
  constexpr void count(arena<region_step> const& steps, span<region_move> moves, region_kernel& k) {
    end_ = steps.size();
    for (int i = 0; i < end_; ++i) step(steps[i], i);
    for (region_move const& m : moves) {
      if (m.n == 1) continue;
      if (m.divergent) note(m.type, m.to, end_, false);  // lanes that are not active keep it
      if (m.wide_from) note(m.type, m.from, end_, false);
    }
    int carried = 0;
    for (range& x : found_) {
      if (x.made) continue;
      bool changes = false;
      for (region_move const& m : moves) changes = changes || (m.n > 1 && m.type == x.type && m.to == x.slot);
      if (changes) carried += x.bytes();
      else x.last = end_;
    }
    for (range const& x : found_) {
      int n = 0;
      for (range const& y : found_) n += y.first <= x.first && y.last > x.first ? y.bytes() : 0;
      if (n > k.live) k.live = n;
    }
    if (carried > k.carried) k.carried = carried;
  }

 private:
  static constexpr int fewest_bytes = 4;  // of a value in a register

  // A live range: from the step that makes the value, or the start, to its last reader, or the end.
  struct range {
    dtype type;
    int slot, first, last;
    bool made;  // by a step

    // Masks have registers of their own; shorter numbers than those of 4 bytes do not share one.
    constexpr int bytes() const { return type == dtype::b1 ? 0 : size_of(type) < fewest_bytes ? fewest_bytes : size_of(type); }
  };
  constexpr void note(dtype t, int slot, int at, bool made) {
    for (int i = found_.size() - 1; i >= 0; --i) {
      if (found_[i].type != t || found_[i].slot != slot) continue;
      found_[i].last = at;
      return;
    }
    found_.push({t, slot, made ? at : 0, at, made});
  }
  constexpr void step(region_step const& s, int i) {
    for_wide_operands(s, tables_, [&](dtype t, int slot) { note(t, slot, i, false); });
    if (s.n == 1) return;
    switch (s.kind) {
      case region_step_kind::compute: case region_step_kind::convert: case region_step_kind::move: return note(s.type, s.d, i, true);
      case region_step_kind::load:
        for (int k = 0; k < s.n_in; ++k) note(s.type, tables_[s.table + 2 * k + 1], i, true);
        return;
      default: return;
    }
  }

  arena<int> const& tables_;
  arena<range> found_;
  int end_ = 0;
};

}  // namespace exprax::detail::planning
