// SPDX-License-Identifier: BSL-1.0
// Steps of a loop's body that make scalars which nothing reads, as those of an index that was added to an address as it is. Of the run
// layout, in bodies without loops and branches.
#pragma once

#include <exprax/base/span.hpp>
#include <exprax/plan/data/plan.hpp>
#include <exprax/plan/data/region.hpp>
#include <exprax/plan/data/slot_numbers.hpp>

namespace exprax::detail::planning {

class unused_scalars {
 public:
  constexpr unused_scalars(plan const& out, region_kernel const& slots) : out_(out), index_(slots.scalars) {
    is_read_.resize(index_.size(), 0);
  }
  // moves: what is read after the steps.
  constexpr void remove(arena<region_step>& steps, span<region_move> moves) {
    for (region_move const& m : moves)
      if (!m.wide_from) read(m.type, m.from);
    arena<char> unused;
    unused.resize(steps.size(), 0);
    for (int k = steps.size() - 1; k >= 0; --k) {
      unused[k] = makes_scalar(steps[k]) && !is_read_[index_(steps[k].type, steps[k].d)];
      if (!unused[k]) read_operands(steps[k]);
    }
    int n = 0;
    for (int k = 0; k < steps.size(); ++k)
      if (!unused[k]) steps[n++] = steps[k];
    steps.shrink(n);
  }

 private:
  constexpr void read(dtype t, int slot) {
    if (slot >= 0) is_read_[index_(t, slot)] = 1;
  }
  static constexpr bool makes_scalar(region_step const& s) {
    switch (s.kind) {
      case region_step_kind::literal: case region_step_kind::counter: case region_step_kind::compute: case region_step_kind::convert:
        return s.n == 1;
      default: return false;
    }
  }
  constexpr void read_operands(region_step const& s) {
    switch (s.kind) {
      case region_step_kind::load:
        if (s.forwards) read(s.type, s.b), read(dtype::i64, s.c);
        break;
      case region_step_kind::store:
        if (!s.wide_a) read(s.type, s.a);
        break;
      case region_step_kind::compute:
      case region_step_kind::convert:
      case region_step_kind::permute:
      case region_step_kind::move:
        for_operands(s, false, [&](dtype t, int slot) { read(t, slot); });
        break;
      default: break;
    }
    if (s.address < 0) return;
    region_address const& a = out_.region_addresses[s.address];
    for (int i = 0; i < a.n_term; ++i)
      if (region_term const& t = out_.region_terms[a.term + i]; t.counter == no_counter) read(t.type, t.slot);
  }

  plan const& out_;
  slot_numbers index_;
  arena<char> is_read_;
};

}  // namespace exprax::detail::planning
