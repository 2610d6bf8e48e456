// SPDX-License-Identifier: BSL-1.0
// The programs that are emitted have every kind of kernel and step.
#include <doctest/doctest.h>

#include <random/chosen.hpp>
#include <random/kinds.hpp>
#include <random/random_plans.hpp>

namespace {

using namespace random_programs;

plan plan_of(chosen_program const& c, int kind) {
  program const p = c.source(), q = prepared(p.ref(), c.what, c.seed);
  if (kind < kinds_of_large_arrays) return oracle::make_plan(q.ref(), {.register_bytes = 32});
  return oracle::make_plan(q.ref(), {.nearest_cache = 8});
}
// A seed of a program like c with a kind, or 0.
std::uint32_t seed_for(chosen_program c, int kind) {
  for (c.seed = 1; c.seed < 500; ++c.seed)
    if (plan const p = plan_of(c, kind); p.is_possible && kinds(p).has[kind]) return c.seed;
  return 0;
}

TEST_CASE("emitted programs have every kind of kernel and step") {
  int programs_with[kind_count] = {};
  for (chosen_program const& c : chosen) {
    CAPTURE(c.seed);
    plan const p = plan_of(c, 0);
    CHECK(p.is_possible);
    kinds const k(p);
    for (int i = 0; i < kinds_of_large_arrays; ++i) programs_with[i] += k.has[i];
  }
  chosen_program const for_small_caches[] = {{nested, variant::batched, 1}, {nested, variant::batched, 4}};
  for (chosen_program const& c : for_small_caches) {
    kinds const k(plan_of(c, kinds_of_large_arrays));
    for (int i = kinds_of_large_arrays; i < kind_count; ++i) programs_with[i] += k.has[i];
  }
  chosen_program const others[] = {{flat, variant::optimized, 0}, {flat, variant::inlined, 0},    {nested, variant::optimized, 0},
                                   {nested, variant::inlined, 0}, {nested, variant::batched, 0},  {nested, variant::in_lanes, 0},
                                   {wide, variant::optimized, 0}};
  for (int i = 0; i < kind_count; ++i) {
    if (kind_names[i].empty()) continue;
    CAPTURE(kind_names[i]);
    CHECK(programs_with[i] > 0);
    if (programs_with[i] > 0) continue;
    for (int k = 0; k < 7; ++k) MESSAGE("seed ", seed_for(others[k], i), " of the programs of line ", k, " has a ", kind_names[i]);
  }
}

}  // namespace
