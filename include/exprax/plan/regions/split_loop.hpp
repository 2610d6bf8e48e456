// SPDX-License-Identifier: BSL-1.0
// A loop with a condition i < n, in which i grows, becomes two: iterations in which no index that depends on i needs a check, and those
// that are left. Of the run layout.
#pragma once

#include <exprax/plan/regions/index_ranges.hpp>

namespace exprax::detail::planning {

// What is known of the loop before it is split.
class split_loop {
 public:
  static constexpr int most_steps = 64;  // of the body, which is copied

  scalar_range i;            // slot -1: the loop is not split
  arena<region_step> steps;  // of the copy of the body
  int n = -1;                // the slot of n; -1: it is `end`
  std::int64_t end = 0;
  bool starts_in_range = false;  // else that is tested
  // Whether all iterations are in bounds.
  constexpr bool is_all() const { return starts_in_range && n < 0 && end <= i.most + 1; }

  // condition, iteration: blocks. before: the steps before the loop.
  constexpr split_loop(plan& out, int condition, int iteration, arena<region_step> const& before) {
    region_block const body = out.region_blocks[iteration];
    if (body.n_step > most_steps) return;
    steps = steps_of(out, iteration);
    for (region_step const& s : steps)
      if (s.kind >= region_step_kind::scan) return;
    span<region_move> const moves(out.region_moves.data() + body.move, body.n_move);
    scalar_range const counter = index_ranges(out, steps).carried_counter(moves);
    arena<region_step> const tests = steps_of(out, condition);
    scalar_steps const tested(tests), started(before);
    int const compared = tested.compared_with(counter.type, counter.slot, out.region_blocks[condition].result);
    if (counter.slot < 0 || compared < 0) return;
    if (!tested.is_literal(counter.type, compared, end)) {
      n = compared;
      if (tested.maker(counter.type, n) != nullptr || scalar_steps(steps).maker(counter.type, n) != nullptr) return;
      for (region_move const& m : moves)
        if (m.type == counter.type && m.n == 1 && m.to == n) return;
    }
    region_step const* const start = started.maker(counter.type, counter.slot);
    std::int64_t first = 0;
    if (start != nullptr && start->kind == region_step_kind::move && started.is_literal(counter.type, start->a, first)) {
      if (first < counter.least || first > counter.most) return;
      starts_in_range = true;
    }
    i = counter;
  }

 private:
  static constexpr arena<region_step> steps_of(plan const& out, int id) {
    arena<region_step> r;
    region_block const& b = out.region_blocks[id];
    r.append(out.region_steps.data() + b.step, b.n_step);
    return r;
  }
};

}  // namespace exprax::detail::planning
