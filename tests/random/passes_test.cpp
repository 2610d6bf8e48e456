// SPDX-License-Identifier: BSL-1.0
// Every pass keeps the meaning of random programs, bit for bit, and what they print, and makes programs that the checker accepts.
#include <doctest/doctest.h>

#include <random/random_program.hpp>
#include <random/runs.hpp>

namespace {

using namespace random_programs;

template <class Pass>
void holds_for(mixture const& w, std::uint32_t seeds, Pass pass) {
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    program const p = random_program(seed, w);
    REQUIRE(oracle::is_well_formed(p.ref()));
    if (has_many_axes(p.ref())) continue;
    program const q = pass(p.ref());
    CHECK(oracle::is_well_formed(q.ref()));
    if (!oracle::is_well_formed(q.ref())) continue;
    for (std::uint32_t s = 0; s < 2; ++s) {
      elements const in = random_inputs(p.ref(), seed * 7 + s, w);
      CHECK(same(p.ref(), interpret(p.ref(), in), interpret(q.ref(), in)));
    }
  }
}
constexpr std::uint32_t many = 1000, more = 3000;

TEST_CASE("inline_calls keeps the meaning of random programs") {
  for (mixture const& w : {flat, nested, with_prints(nested)}) holds_for(w, many, oracle::inline_calls);
}
TEST_CASE("dce keeps the meaning of random programs") {
  for (mixture const& w : {flat, nested, with_prints(nested)}) holds_for(w, many, oracle::dce);
}
TEST_CASE("simplify keeps the meaning of random programs") {
  for (mixture const& w : {flat, nested, with_prints(nested), wide}) holds_for(w, more, oracle::simplify);
}
TEST_CASE("simplify and dce, twice, keep the meaning of random programs") {
  auto const twice = [](program_ref p) {
    program const a = oracle::simplify(p), b = oracle::dce(a.ref()), c = oracle::simplify(b.ref());
    return oracle::dce(c.ref());
  };
  for (mixture const& w : {flat, nested, wide}) holds_for(w, many, twice);
}
TEST_CASE("expand_vmap keeps the meaning of random programs") { holds_for(wide, more, oracle::expand_vmap); }
TEST_CASE("fuse_multiply_add changes no bit where nothing is rounded") { holds_for(exact, many, oracle::fuse_multiply_add); }
TEST_CASE("optimize changes no bit where nothing is rounded, or nothing is contracted") {
  auto const optimize = [](program_ref p) { return oracle::optimize(p); };
  holds_for(exact, many, optimize);
  holds_for(without_products(nested), many, optimize);
}
TEST_CASE("what optimize makes is well formed") {
  for (mixture const& w : {flat, nested, wide})
    for (std::uint32_t seed = 1; seed <= many; ++seed) {
      CAPTURE(seed);
      program const p = random_program(seed, w);
      if (has_many_axes(p.ref())) continue;
      for (bool in_lanes : {false, true}) CHECK(oracle::is_well_formed(oracle::optimize(p.ref(), in_lanes).ref()));
    }
  for (mixture const& w : {flat, nested})
    for (std::uint32_t seed = 1; seed <= many; ++seed) {
      CAPTURE(seed);
      program const p = random_program(seed, w);
      CHECK(oracle::is_well_formed(oracle::fuse_multiply_add(p.ref()).ref()));
    }
}

}  // namespace
