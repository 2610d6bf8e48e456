// SPDX-License-Identifier: BSL-1.0
// The plan interpreter in constant evaluation, and on plans that are wrong.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>
#include <plan/interpreter/run_plan.hpp>

namespace ex = exprax;

namespace {

constexpr auto row_sums = [](auto x) { return ex::sum(x * x, ex::axis<1>) + 1.0f; };
using program = ex::detail::compiled<ex::detail::traced<decltype(row_sums), ex::expr<float, 2, 5>>>;

struct answer {
  float of[2] = {};
  int faults = 0;
};
// shift: added to the base of the first access of the plan.
constexpr answer run(int register_bytes, std::ptrdiff_t shift) {
  ex::plan p = ex::make_plan(program::ref, {.register_bytes = register_bytes});
  p.accesses[0].base += shift;
  std::uint64_t x[10] = {};
  for (int i = 0; i < 10; ++i) x[i] = ex::detail::to_bits(static_cast<float>(i));
  std::uint64_t const* const in[] = {x};
  auto const o = plan_interpreter::run_plan(p, program::ref, in);
  return {{ex::detail::from_bits<float>(o.results[0][0]), ex::detail::from_bits<float>(o.results[0][1])}, o.faults};
}
static_assert(run(0, 0).of[0] == 31.0f && run(0, 0).of[1] == 256.0f && run(0, 0).faults == 0);
static_assert(run(32, 0).of[0] == 31.0f && run(32, 0).of[1] == 256.0f && run(32, 0).faults == 0);
static_assert(run(0, 1).faults > 0);

}  // namespace

TEST_CASE("a plan that reads out of bounds") { CHECK(run(32, 1).faults > 0); }
