// SPDX-License-Identifier: BSL-1.0
// plan_for<Args...>(f, target): the plan of a function. agrees<Args...>(f): what plans and emitted code make of it has the bits of the
// reference interpreter.
#pragma once

#include <emit/agree.hpp>
#include <random/random_plans.hpp>

namespace plan_test {

template <class... Args, class F>
constexpr exprax::plan plan_for(F, exprax::target const& machine) {
  return exprax::make_plan(exprax::detail::compiled<exprax::detail::traced<F, Args...>>::ref, machine);
}
// Plans for all targets, with small caches too, and with arguments that are kept or donated.
template <class... Args, class F>
bool plans_agree(F) {
  using program = exprax::frozen<emit_test::optimized_source<exprax::detail::traced<F, Args...>>>;
  random_programs::plan_check const c = random_programs::check_plans(program::ref, 3);
  return c.is_right && c.is_possible;
}
template <class... Args, class F>
bool agrees(F f) {
  return plans_agree<Args...>(f) && emit_test::differences_of<Args...>(f) == 0;
}

}  // namespace plan_test
