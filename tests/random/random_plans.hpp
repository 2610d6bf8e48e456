// SPDX-License-Identifier: BSL-1.0
// Random programs through the passes and the planner, at run time.
#pragma once

#include <exprax/plan/analysis/uses.hpp>
#include <random/random_program.hpp>
#include <random/runs.hpp>
#include <random/variants.hpp>

namespace random_programs {

// What plans are made for: no SIMD, and registers of all sizes; and caches so small that few values are near.
inline constexpr target targets[] = {{}, {.register_bytes = 16}, {.register_bytes = 32}, {.register_bytes = 64, .registers = 32},
                                     {.nearest_cache = 8}, {.register_bytes = 16, .nearest_cache = 8}};

struct passes_of_the_oracle {
  static program optimize(program_ref p, bool in_lanes) { return oracle::optimize(p, in_lanes); }
  static program optimize_placed(program_ref p) { return oracle::optimize_placed(p); }
  static program inline_calls(program_ref p) { return oracle::inline_calls(p); }
  static program fuse_multiply_add(program_ref p) { return oracle::fuse_multiply_add(p); }
  static program batch(program_ref p, span<batch_axis> dims, int rows, span<wanted_axis> out_dims) { return oracle::batch(p, dims, rows, out_dims); }
};
inline program prepared(program_ref p, variant v, std::uint32_t seed) { return prepared<passes_of_the_oracle>(p, v, seed); }

inline int user_buffer(plan const& p, storage_class where, int index) {
  for (int b = 0; b < p.buffers.size(); ++b)
    if (p.buffers[b].where == where && p.buffers[b].index == index) return b;
  return -1;
}
// For each result an argument whose memory it may have, or -1; no argument twice.
inline arena<int> donations(plan const& p, program_ref q) {
  arena<int> of;
  for (int j = 0; j < q.main().n_out; ++j) {
    int donor = -1;
    int const out = user_buffer(p, storage_class::output, j);
    for (int i = 0; i < q.main().n_in && donor < 0; ++i) {
      int const in = user_buffer(p, storage_class::input, i);
      bool taken = !q.type(q.ins(q.main())[i]).matches(q.type(q.outs(q.main())[j]));
      for (int d : of) taken = taken || d == i;
      if (!taken && in >= 0 && out >= 0 && detail::is_read_before_written(p, p.main, in, out)) donor = i;
    }
    of.push(donor);
  }
  return of;
}

struct plan_check {
  bool is_right = true, is_possible = true;
};
// The plans of p for all targets against the reference interpreter, with arguments that are kept and that are donated.
inline plan_check check_plans(program_ref p, std::uint32_t seed) {
  elements const in = random_inputs(p, seed * 31u);
  run const want = interpret(p, in);
  for (target const& machine : targets) {
    plan const made = oracle::make_plan(p, machine);
    if (!made.is_possible) return {true, false};
    for (bool donates : {false, true}) {
      run got;
      arena<int> const donors = donates ? donations(made, p) : arena<int>();
      plan_interpreter::outcome const o = oracle::run_plan(made, p, pointers_to(in), donors, run::print, &got);
      got.results = o.results;
      if (o.faults != 0 || !same(p, got, want)) return {false, true};
    }
  }
  return {};
}

}  // namespace random_programs
