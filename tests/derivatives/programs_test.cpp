// SPDX-License-Identifier: BSL-1.0
// The laws of derivatives (derivatives/law.hpp) for random programs: loops in branches in vmaps in checkpoints, with captured values. They
// are data, so that hundreds of them cost no compile time. The programs of their derivatives then go through the passes, the planner, and
// batching.
#include "derivatives/law.hpp"
#include "random/random_plans.hpp"

namespace {

namespace ex = exprax;
using namespace law;
using random_programs::mixture;

bool is_near(values const& a, values const& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i)
      if (!(std::abs(a[k][i] - b[k][i]) <= 1e-10 * (1 + std::abs(a[k][i])) || (std::isnan(a[k][i]) && std::isnan(b[k][i])))) return false;
  return a.size() == b.size();
}

// Passes change no value, but for the rounding of products that are fused with sums; plans are right bit for bit.
void check_passes(std::string const& name, ex::program_ref p, values const& x) {
  CAPTURE(name);
  CHECK(oracle::is_well_formed(p));
  values const want = run(p, x);
  ex::program const simplified = oracle::simplify(p), optimized = oracle::optimize(p);
  CHECK(oracle::is_well_formed(optimized.ref()));
  CHECK(run(simplified.ref(), x) == want);
  values const fused = run(optimized.ref(), x);
  CHECK(is_near(fused, want));
  for (ex::target const& machine : random_programs::targets) {
    ex::plan const plan = oracle::make_plan(optimized.ref(), machine);
    REQUIRE(plan.is_possible);
    plan_interpreter::outcome const made = oracle::run_plan(plan, optimized.ref(), patterns(optimized.ref(), x).pointers());
    CHECK(made.faults == 0);
    CHECK(numbers_of(optimized.ref(), made.results) == fused);
  }
}

// vmap of a derivative: of each row, after batching, and in lanes.
void check_rows(std::string const& name, ex::program_ref p, std::uint32_t seed) {
  CAPTURE(name);
  ex::program const rows = random_programs::mapped(p, seed);
  if (random_programs::has_many_axes(rows.ref())) return;
  ex::program const batched = oracle::expand_vmap(rows.ref()), in_lanes = oracle::optimize_placed(rows.ref());
  CHECK(oracle::is_well_formed(batched.ref()));
  CHECK(oracle::is_well_formed(in_lanes.ref()));
  values const x = arguments(rows.ref(), 0.5, 1.5, seed);
  patterns const in(rows.ref(), x);
  oracle::results const want = oracle::interpret(rows.ref(), in.pointers());
  CHECK(random_programs::same(rows.ref(), want, oracle::interpret(batched.ref(), in.pointers())));
  oracle::results const fused = oracle::interpret(in_lanes.ref(), in.pointers());
  CHECK(is_near(numbers_of(rows.ref(), want), numbers_of(rows.ref(), fused)));
  for (ex::target const& machine : random_programs::targets) {
    ex::plan const plan = oracle::make_plan(in_lanes.ref(), machine);
    if (!plan.is_possible) continue;
    plan_interpreter::outcome const made = oracle::run_plan(plan, in_lanes.ref(), in.pointers());
    CHECK(made.faults == 0);
    CHECK(random_programs::same(rows.ref(), made.results, fused));
  }
}

tally check_programs(mixture const& w, std::uint32_t first, std::uint32_t n) {
  tally seen;
  for (std::uint32_t seed = first; seed < first + n; ++seed) {
    CAPTURE(seed);
    ex::program const p = random_programs::random_program(seed, w);
    REQUIRE(oracle::is_well_formed(p.ref()));
    if (random_programs::has_many_axes(p.ref())) continue;
    subject s{"program " + std::to_string(seed), true};
    if (seed % 3 == 0) s.use = check_passes;
    if (seed % 3 == 1) s.use = [=](std::string const& name, ex::program_ref q, values const&) { check_rows(name, q, seed); };
    check(s, p.ref(), arguments(p.ref(), -1.5, 1.5, seed), p.ref().n.eqns < 60 ? 2 : 1, &seen);
  }
  return seen;
}

}  // namespace

// Most programs have few axes, and derivatives in both modes.
TEST_CASE("random programs") {
  tally const seen = check_programs(random_programs::smooth, 1, 1400);
  CHECK(seen.forward > 1050);
  CHECK(seen.reverse == seen.forward);
  CHECK(seen.not_smooth < 8);
}
TEST_CASE("random programs with while_loops, which have no reverse mode") {
  tally const seen = check_programs(with_loops(random_programs::smooth), 1000, 100);
  CHECK(seen.forward > 75);
  CHECK(seen.not_smooth < 4);
}
TEST_CASE("random programs with custom_vjp, which has no forward mode") {
  tally const seen = check_programs(with_custom_vjp(random_programs::smooth), 2000, 100);
  CHECK(seen.reverse > 75);
  CHECK(seen.reverse > seen.forward);
  CHECK(seen.not_smooth < 4);
}
