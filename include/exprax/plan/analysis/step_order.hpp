// SPDX-License-Identifier: BSL-1.0
// The order of the steps of a block in lanes: a value that only one step reads is computed right before that step. So an equation on a row
// of many elements does not fill the registers with all of its results before the next one reads them. (g++ -O2 keeps the given order.)
#pragma once

#include <utility>

#include <exprax/base/arena.hpp>
#include <exprax/base/span.hpp>
#include <exprax/plan/data/region.hpp>
#include <exprax/plan/data/slot_numbers.hpp>

namespace exprax::detail::planning {

class step_order {
 public:
  // tables: the plan's, in which stores list their slots.
  constexpr step_order(arena<int> const& tables, region_kernel const& slots) : tables_(tables), index_(slots.wide) {
    made_by_.resize(index_.size(), -1);
    reads_.resize(index_.size(), 0);
    reader_.resize(index_.size(), -1);
  }

 private:
  static constexpr bool computes(region_step const& s) {
    return (s.kind == region_step_kind::compute || s.kind == region_step_kind::convert) && s.n > 1;
  }
  // f(index) for each wide slot that a step reads.
  template <class F>
  constexpr void for_operands(region_step const& s, F f) const {
    for_wide_operands(s, tables_, [&](dtype t, int slot) { f(index_(t, slot)); });
  }
  // True if step k waits for its only reader, which comes before `end`.
  constexpr bool is_late(arena<region_step> const& from, int k, int end) const {
    if (!computes(from[k])) return false;
    int const i = index_(from[k].type, from[k].d), reader = reader_[i];
    return reads_[i] == 1 && reader > k && reader < end && computes(from[reader]);
  }
  constexpr void write(arena<region_step>& to, arena<region_step> const& from, int k) {
    if (done_[k]) return;
    done_[k] = 1;
    for_operands(from[k], [&](int i) {
      if (made_by_[i] >= 0 && made_by_[i] < k) write(to, from, made_by_[i]);
    });
    to.push(from[k]);
  }

 public:
  // moves: they read after the steps.
  constexpr void arrange(arena<region_step>& steps, span<region_move> moves) {
    arena<region_step> const from = std::move(steps);
    steps = arena<region_step>();
    done_.resize(from.size(), 0);
    for (region_move const& m : moves)
      if (m.wide_from) reads_[index_(m.type, m.from)] += 2;
    for (int k = 0; k < from.size(); ++k) for_operands(from[k], [&](int i) { ++reads_[i], reader_[i] = k; });
    int begin = 0;  // of the current part without control
    for (int i = 0; i <= from.size(); ++i) {
      if (i < from.size() && from[i].kind < region_step_kind::scan) continue;
      for (int k = begin; k < i; ++k)
        if (computes(from[k])) made_by_[index_(from[k].type, from[k].d)] = k;
      for (int k = begin; k < i; ++k)
        if (!is_late(from, k, i)) write(steps, from, k);
      for (int k = begin; k < i; ++k) write(steps, from, k);  // what nothing reads
      for (int k = begin; k < i; ++k)
        if (computes(from[k])) made_by_[index_(from[k].type, from[k].d)] = -1;
      if (i < from.size()) steps.push(from[i]);
      begin = i + 1;
    }
  }

 private:
  arena<int> const& tables_;
  slot_numbers index_;
  arena<int> made_by_, reads_, reader_;  // of each wide slot: the step that makes it, how often it is read, and which step does
  arena<char> done_;
};

}  // namespace exprax::detail::planning
