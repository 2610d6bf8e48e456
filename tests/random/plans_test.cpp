// SPDX-License-Identifier: BSL-1.0
// The planner on random programs: what the plan interpreter makes of a plan is what the reference interpreter makes of the program, bit for
// bit, for every target, and nothing is read or written out of bounds. Emitted code chooses nothing: what is right in a plan is right in it.
#include <doctest/doctest.h>

#include "random/random_plans.hpp"

namespace {

using namespace random_programs;

TEST_CASE("plans of random programs") {
  for (std::uint32_t seed = 1; seed <= 6000; ++seed) {
    CAPTURE(seed);
    program const p = random_program(seed, 8 + static_cast<int>(seed) % 3 * 10);
    program const q = prepared(p.ref(), seed);
    CHECK(plans_are_right(q.ref(), seed));
  }
}

}  // namespace
