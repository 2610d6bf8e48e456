// SPDX-License-Identifier: BSL-1.0
#include "oracle.hpp"

#include <exprax/api/interpreted.hpp>
#include <exprax/passes/check.hpp>
#include <exprax/passes/dce.hpp>
#include <exprax/passes/pipeline.hpp>
#include <exprax/plan/planner.hpp>
#include <exprax/text/jaxpr/jaxpr.hpp>
#include <plan/interpreter/run_plan.hpp>

template exprax::detail::arena<exprax::detail::arena<std::uint64_t>> exprax::detail::interpret_at_run_time(
    exprax::program_ref, exprax::detail::span<std::uint64_t const*>);

namespace oracle {

using namespace exprax;

namespace {

struct text_stream {
  std::string text;
  void write(char const* s, std::ptrdiff_t n) { text.append(s, static_cast<std::size_t>(n)); }
};

}  // namespace

results interpret(program_ref p, detail::span<std::uint64_t const*> inputs, interpreter::print_hook on_print, void* to) {
  return exprax::interpret(p, inputs, on_print, to);
}
bool is_well_formed(program_ref p) { return bool(check(p)); }
program independent_rows(program_ref p) {
  struct always {
    constexpr bool operator()(program_ref, int) const { return true; }
  };
  return exprax::detail::independent_rows<program_ref, always>(p).run();
}
program optimize(program_ref p, bool in_lanes) { return in_lanes ? exprax::optimize_in_lanes(p) : exprax::optimize(p); }
program optimize_placed(program_ref p) {
  if (needs_lowering(p)) {
    program const q = lower_types(p);
    return optimize_placed(q.ref());
  }
  return exprax::optimize_placed(p);
}
program inline_calls(program_ref p) { return exprax::inline_calls(p); }
program dce(program_ref p) { return exprax::dce(p); }
program fuse_multiply_add(program_ref p) { return exprax::fuse_multiply_add(p); }
program expand_vmap(program_ref p) { return exprax::expand_vmap(p); }
program simplify(program_ref p) {
  if (needs_lowering(p)) {
    program const q = lower_types(p);
    return simplify(q.ref());
  }
  if (has_vmap(p)) {
    program const q = exprax::expand_vmap(p);
    return simplify(q.ref());
  }
  if (exprax::detail::while_lowerer::is_needed(p)) {
    program const q = lower_while(p);
    return simplify(q.ref());
  }
  return exprax::simplify(p);
}
program batch(program_ref p, detail::span<batch_axis> in_dims, int size, detail::span<wanted_axis> out_dims, batch_axis* axes) {
  return exprax::batch(p, in_dims, size, out_dims, axes);
}
plan make_plan(program_ref p, target const& machine) { return exprax::make_plan(p, machine); }
plan_interpreter::outcome run_plan(plan const& made, program_ref p, detail::span<std::uint64_t const*> inputs, detail::span<int> donated,
                                   interpreter::print_hook on_print, void* to) {
  return plan_interpreter::run_plan(made, p, inputs, donated, on_print, to);
}
std::string jaxpr(program_ref p) {
  text_stream s;
  detail::print_jaxpr(s, p);
  return s.text;
}

}  // namespace oracle
