// SPDX-License-Identifier: BSL-1.0
// Every pass keeps the meaning of random programs, bit for bit, and makes programs that the checker accepts.
#include <doctest/doctest.h>

#include "random/random_program.hpp"
#include <exprax/passes/check.hpp>
#include <exprax/passes/dce.hpp>
#include <exprax/passes/pipeline.hpp>
#include "oracle.hpp"

namespace {

using namespace random_programs;

auto results(program_ref p, arena<arena<std::uint64_t>> const& in) {
  arena<std::uint64_t const*> pointers;
  for (auto const& e : in) pointers.push(e.data());
  return oracle::interpret(p, pointers);
}

// How p and q differ on these inputs: -1: not at all.
int first_difference(program_ref p, program_ref q, arena<arena<std::uint64_t>> const& in) {
  auto const a = results(p, in), b = results(q, in);
  if (a.size() != b.size()) return 0;
  for (int k = 0; k < a.size(); ++k) {
    dtype const t = p.type(p.outs(p.main())[k]).type;
    if (a[k].size() != b[k].size()) return k;
    for (int i = 0; i < a[k].size(); ++i)
      if (!same_element(t, a[k][i], b[k][i])) return k;
  }
  return -1;
}

template <class Pass>
void holds_for(Pass pass, std::uint32_t seeds, int equations, flavour f = flavour::all) {
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    program const p = random_program(seed, equations, f);
    check_result const given = check(p.ref());
    REQUIRE(static_cast<int>(given.what) == 0);
    program const q = pass(p.ref());
    check_result const made = check(q.ref());
    CHECK(static_cast<int>(made.what) == 0);
    if (!made) continue;
    for (std::uint32_t s = 0; s < 3; ++s) CHECK(first_difference(p.ref(), q.ref(), random_inputs(p.ref(), seed * 7 + s, f)) == -1);
  }
}

constexpr std::uint32_t many = 400;

TEST_CASE("inline_calls keeps the meaning of random programs") {
  holds_for([](program_ref p) { return inline_calls(p); }, many, 25);
}
TEST_CASE("dce keeps the meaning of random programs") {
  holds_for([](program_ref p) { return dce(p); }, many, 25);
}
TEST_CASE("simplify keeps the meaning of random programs") {
  holds_for([](program_ref p) { return simplify(p); }, many, 25);
  holds_for([](program_ref p) { return simplify(p); }, many, 8);
}
TEST_CASE("simplify and dce, twice, keep the meaning of random programs") {
  holds_for(
      [](program_ref p) {
        program const a = simplify(p), b = dce(a.ref()), c = simplify(b.ref());
        return dce(c.ref());
      },
      many, 40);
}
TEST_CASE("fuse_multiply_add changes no bit where nothing is rounded") {
  holds_for([](program_ref p) { return fuse_multiply_add(p); }, many, 25, flavour::exact);
  holds_for([](program_ref p) { return optimize(p); }, many, 25, flavour::exact);
}
TEST_CASE("what fuse_multiply_add makes is well formed") {
  for (std::uint32_t seed = 1; seed <= many; ++seed) {
    CAPTURE(seed);
    program const p = random_program(seed, 25);
    CHECK(check(optimize(p.ref()).ref()));
    CHECK(check(fuse_multiply_add(p.ref()).ref()));
  }
}

}  // namespace
