// SPDX-License-Identifier: BSL-1.0
// Every pass keeps the meaning of loops in branches in loops, bit for bit, and what they print.
#include <doctest/doctest.h>

#include <random/nested_program.hpp>
#include <exprax/passes/check.hpp>
#include <exprax/passes/dce.hpp>
#include <exprax/passes/pipeline.hpp>
#include "oracle.hpp"

namespace {

using namespace random_programs;

// The elements of all results, and before them what was printed.
struct outcome {
  arena<std::uint64_t> printed;
  arena<arena<std::uint64_t>> results;
};
outcome run(program_ref p, arena<arena<std::uint64_t>> const& in) {
  outcome o;
  arena<std::uint64_t const*> pointers;
  for (auto const& e : in) pointers.push(e.data());
  o.results = oracle::interpret(
      p, pointers,
      [](void* to, equation_ref const& e, std::uint64_t const* const* operands) {
        static_cast<outcome*>(to)->printed.push(static_cast<std::uint64_t>(e.type(0).type));
        static_cast<outcome*>(to)->printed.push(operands[0][0]);
      },
      &o);
  return o;
}
bool same(program_ref p, outcome const& a, outcome const& b) {
  if (a.results.size() != b.results.size() || a.printed.size() != b.printed.size()) return false;
  for (int i = 0; i < a.printed.size(); i += 2)
    if (a.printed[i] != b.printed[i] || !same_element(static_cast<dtype>(a.printed[i]), a.printed[i + 1], b.printed[i + 1])) return false;
  for (int k = 0; k < a.results.size(); ++k) {
    if (a.results[k].size() != b.results[k].size()) return false;
    for (int i = 0; i < a.results[k].size(); ++i)
      if (!same_element(p.type(p.outs(p.main())[k]).type, a.results[k][i], b.results[k][i])) return false;
  }
  return true;
}

template <class Pass>
void holds_for(Pass pass, content c) {
  for (std::uint32_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    program const p = nested_program(seed, c);
    REQUIRE(check(p.ref()));
    program const q = pass(p.ref());
    CHECK(check(q.ref()));
    if (!check(q.ref())) continue;
    for (std::uint32_t s = 0; s < 3; ++s) {
      auto const in = random_inputs(p.ref(), seed * 7 + s);
      CHECK(same(p.ref(), run(p.ref(), in), run(q.ref(), in)));
    }
  }
}

TEST_CASE("inline_calls keeps the meaning of nested programs") {
  holds_for([](program_ref p) { return inline_calls(p); }, content::all);
  holds_for([](program_ref p) { return inline_calls(p); }, content::prints);
}
TEST_CASE("dce keeps the meaning of nested programs") {
  holds_for([](program_ref p) { return dce(p); }, content::all);
  holds_for([](program_ref p) { return dce(p); }, content::prints);
}
TEST_CASE("simplify keeps the meaning of nested programs") {
  holds_for([](program_ref p) { return simplify(p); }, content::all);
  holds_for([](program_ref p) { return simplify(p); }, content::prints);
}
TEST_CASE("simplify and dce, twice, keep the meaning of nested programs") {
  holds_for(
      [](program_ref p) {
        program const a = simplify(p), b = dce(a.ref()), c = simplify(b.ref());
        return dce(c.ref());
      },
      content::all);
}
TEST_CASE("optimize changes no bit where nothing is contracted") {
  holds_for([](program_ref p) { return optimize(p); }, content::no_products);
}
TEST_CASE("what optimize makes of nested programs is well formed") {
  for (std::uint32_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    program const p = nested_program(seed);
    CHECK(check(optimize(p.ref()).ref()));
  }
}

}  // namespace
