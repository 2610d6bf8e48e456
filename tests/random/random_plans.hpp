// SPDX-License-Identifier: BSL-1.0
// Random programs through the passes and the planner, at run time.
#pragma once

#include "oracle.hpp"
#include <random/random_program.hpp>

namespace random_programs {

// What plans are made for: no SIMD, and registers of all sizes.
inline constexpr target targets[] = {{}, {.register_bytes = 16}, {.register_bytes = 32}, {.register_bytes = 64, .registers = 32}};

// Odd seeds go through all passes; of even ones only the calls are inlined, so that the planner meets what passes would have removed: loops
// of no turn, constant carries, equal branches. Powers have to become products.
inline program prepared(program_ref p, std::uint32_t seed) {
  bool has_power = false;
  for (int i = 0; i < p.n.eqns; ++i) has_power = has_power || p.eqns[i].op == prim::integer_pow;
  if (seed % 2 == 1 || has_power) return oracle::optimize(p);
  return oracle::inline_calls(p);
}

inline bool same_elements(program_ref p, oracle::results const& a, oracle::results const& b) {
  if (a.size() != b.size()) return false;
  for (int k = 0; k < a.size(); ++k) {
    if (a[k].size() != b[k].size()) return false;
    for (int i = 0; i < a[k].size(); ++i)
      if (!same_element(p.type(p.outs(p.main())[k]).type, a[k][i], b[k][i])) return false;
  }
  return true;
}

// The plans of p for all targets against the reference interpreter. Plans that are not possible are right.
inline bool plans_are_right(program_ref p, std::uint32_t seed) {
  arena<arena<std::uint64_t>> const in = random_inputs(p, seed * 31u);
  arena<std::uint64_t const*> pointers;
  for (auto const& e : in) pointers.push(e.data());
  oracle::results const want = oracle::interpret(p, pointers);
  for (target const& machine : targets) {
    plan const made = oracle::make_plan(p, machine);
    if (!made.is_possible) return true;
    plan_interpreter::outcome const got = oracle::run_plan(made, p, pointers);
    if (got.faults != 0 || !same_elements(p, got.results, want)) return false;
  }
  return true;
}

}  // namespace random_programs
