// SPDX-License-Identifier: BSL-1.0
// The planner on random programs: what the plan interpreter makes of a plan is what the reference interpreter makes of the program, bit
// for bit, for every target, and nothing is read or written out of bounds. Emitted code chooses nothing: what is right in a plan is right
// in it.
#include <doctest/doctest.h>

#include "random/random_plans.hpp"

namespace {

using namespace random_programs;

// Returns how many percent of the plans were possible: a vmap in lanes may not be.
int holds_for(mixture const& w, variant v, std::uint32_t seeds) {
  int possible = 0, seen = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    program const p = random_program(seed, w);
    if (has_many_axes(p.ref())) continue;
    ++seen;
    program const q = prepared(p.ref(), v, seed);
    plan_check const c = check_plans(q.ref(), seed);
    CHECK(c.is_right);
    possible += c.is_possible;
  }
  CHECK(seen >= static_cast<int>(seeds) / 2);
  return 100 * possible / seen;
}

TEST_CASE("plans of flat programs") {
  CHECK(holds_for(flat, variant::optimized, 3000) == 100);
  CHECK(holds_for(flat, variant::inlined, 3000) == 100);
}
TEST_CASE("plans of nested programs") {
  CHECK(holds_for(nested, variant::optimized, 2000) == 100);
  CHECK(holds_for(nested, variant::inlined, 2000) == 100);
  CHECK(holds_for(with_prints(nested), variant::optimized, 1000) == 100);
  CHECK(holds_for(with_prints(nested), variant::inlined, 1000) == 100);
}
TEST_CASE("plans of vmaps of nested programs") {
  CHECK(holds_for(nested, variant::batched, 1000) == 100);
  CHECK(holds_for(nested, variant::in_lanes, 2000) >= 50);
}
TEST_CASE("plans of wide programs") { CHECK(holds_for(wide, variant::optimized, 4000) >= 97); }

}  // namespace
