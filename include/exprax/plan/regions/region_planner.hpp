// SPDX-License-Identifier: BSL-1.0
// Plans a loop or a branch as a region (plan/data/region.hpp), if everything in it is small. Arrays that are too large for registers may
// be read at an index, and carried if each iteration updates them in place.
#pragma once

#include <exprax/plan/regions/region_control.hpp>
#include <exprax/plan/regions/run_layout.hpp>

namespace exprax::detail::planning {

class region_planner : public region_control<run_layout> {
 public:
  // operands, results: the buffers of e's operands (-1: a constant) and results. A carry that is updated in place is already in its
  // result's buffer. Returns the index of the region; -1: not a region, and nothing has changed.
  static constexpr int plan_region(context& c, equation_ref const& e, span<int> operands, span<int> results) {
    plan_sizes const before = c.out.sizes();
    region_planner r(c);
    r.run(e, operands, results);
    return r.finished(before);
  }

 private:
  constexpr explicit region_planner(context& c) : region_control(c) {}

  constexpr void run(equation_ref const& e, span<int> operands, span<int> results) {
    root_ = &e.e;
    for (int k = 0; k < results.size(); ++k) wanted_[e.e.out + k] = in_buffer(results[k], true);
    own_.resize(e.n_in());
    for (int k = 0; k < e.n_in(); ++k) {
      int const v = c_.resolve(e.in(k));
      if (p_.is_constant(v)) continue;
      for (int r = 0; r < results.size(); ++r)
        if (results[r] == operands[k]) own_[k] = wanted_[e.e.out + r];  // updated in place
      if (own_[k].in_memory() || where_[v].in_memory()) continue;
      where_[v] = in_buffer(operands[k]);
      if (is_small(p_.type(v))) where_[v] = load(p_.type(v), where_[v]);
    }
    arena<location> const made = control(e, nullptr);
    for (int k = 0; k < made.size() && !failed_; ++k) {
      aval const& t = e.out_type(k);
      if (made[k].in_memory() && address(made[k].address).buffer == results[k]) continue;
      store(made[k].in_slots() ? made[k] : load(t, made[k]), t, wanted_[e.e.out + k]);
    }
    k_.block = close_block(0, -1);
  }
};

}  // namespace exprax::detail::planning
