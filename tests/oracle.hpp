// SPDX-License-Identifier: BSL-1.0
// The reference interpreter, the checker, batching, the passes, the planner, the plan interpreter and the printer of jaxprs at run time,
// compiled once for all tests (oracle.cpp): compiling them costs a file 20 to 40 seconds.
#pragma once

#include <string>

#include <exprax/base/target.hpp>
#include <exprax/legalize/interpret.hpp>
#include <exprax/plan/data/plan.hpp>

#include "plan/interpreter/outcome.hpp"

namespace oracle {

using results = exprax::detail::arena<exprax::detail::arena<std::uint64_t>>;

results interpret(exprax::program_ref p, exprax::detail::span<std::uint64_t const*> inputs, exprax::interpreter::print_hook on_print = nullptr, void* to = nullptr);
bool is_well_formed(exprax::program_ref p);
// How many equations, in all blocks.
constexpr int count_of(exprax::program_ref p, exprax::prim op) {
  int n = 0;
  for (int i = 0; i < p.n.eqns; ++i) n += p.eqns[i].op == op;
  return n;
}
exprax::program optimize(exprax::program_ref p, bool in_lanes = false);
// Wherever it is possible, whether lanes are better or not.
exprax::program independent_rows(exprax::program_ref p);
// The same without a choice of which vmap equations stay: all do.
exprax::program optimize_placed(exprax::program_ref p);
exprax::program inline_calls(exprax::program_ref p);
exprax::program dce(exprax::program_ref p);
exprax::program fuse_multiply_add(exprax::program_ref p);
exprax::program expand_vmap(exprax::program_ref p);
exprax::program simplify(exprax::program_ref p);  // all but contraction: no bit changes
exprax::program batch(exprax::program_ref p, exprax::detail::span<exprax::batch_axis> in_dims, int size, exprax::detail::span<exprax::wanted_axis> out_dims,
                      exprax::batch_axis* axes = nullptr);
exprax::plan make_plan(exprax::program_ref p, exprax::target const& machine);
plan_interpreter::outcome run_plan(exprax::plan const& made, exprax::program_ref p, exprax::detail::span<std::uint64_t const*> inputs,
                                   exprax::detail::span<int> donated = {}, exprax::interpreter::print_hook on_print = nullptr, void* to = nullptr);
std::string jaxpr(exprax::program_ref p);

}  // namespace oracle
