// SPDX-License-Identifier: BSL-1.0
// vmap of random programs, for random choices of axes: row i of the results is the program on row i of the inputs, bit for bit; the same
// for a batch of a batch; and the passes keep what batching made, conditions for each row included.
#include <doctest/doctest.h>

#include "transforms/laws.hpp"
#include <random/random_program.hpp>
#include <random/runs.hpp>

namespace {

using namespace random_programs;

arena<std::uint64_t> row(arena<std::uint64_t> const& all, aval const& t, int axis, int i) {
  arena<std::uint64_t> r;
  for (std::uint64_t x : laws::row({all.begin(), all.end()}, t, axis, i)) r.push(x);
  r.push(0);  // a place, where there is no element
  r.pop();
  return r;
}
bool keeps_its_meaning(program_ref p, program const& q, elements const& in, run const& want) {
  return oracle::is_well_formed(q.ref()) && same(p, interpret(q.ref(), in), want);
}

// p over some rows. Checks the law, and goes on with what was made for a batch of it.
bool batches(program_ref p, std::uint32_t seed, int times) {
  if (has_many_axes(p)) return true;
  rng r(seed + 99u);
  int const rows = 1 + r.below(4);
  struct block const& b = p.main();
  arena<batch_axis> dims, axes;
  arena<wanted_axis> want;
  for (int v : p.ins(b)) dims.push(r.chance(40) ? not_mapped : batch_axis(r.below(p.type(v).rank + 1)));
  int const always = r.below(b.n_in);
  dims[always] = r.below(p.type(p.ins(b)[always]).rank + 1);
  for (int v : p.outs(b)) want.push(r.chance(50) ? wanted_axis() : wanted_axis(r.below(p.type(v).rank + 1)));
  axes.resize(b.n_out);
  program const q = oracle::batch(p, dims, rows, want, axes.data());
  if (!oracle::is_well_formed(q.ref())) return false;
  struct block const& all = q.ref().main();
  elements const in = random_inputs(q.ref(), seed + 5u);
  run const out = interpret(q.ref(), in);
  for (int i = 0; i < rows; ++i) {
    elements one, its;
    for (int k = 0; k < b.n_in; ++k) one.push(dims[k].is_mapped() ? row(in[k], q.ref().type(q.ref().ins(all)[k]), dims[k].position(), i) : in[k]);
    for (int k = 0; k < b.n_out; ++k)
      its.push(axes[k].is_mapped() ? row(out.results[k], q.ref().type(q.ref().outs(all)[k]), axes[k].position(), i) : out.results[k]);
    if (!same(p, interpret(p, one).results, its)) return false;
  }
  return keeps_its_meaning(q.ref(), oracle::simplify(q.ref()), in, out) && (times == 1 || batches(q.ref(), seed + 1u, times - 1));
}

void holds_for(mixture const& w, std::uint32_t seeds, int times) {
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    program const p = random_program(seed, w);
    CHECK(batches(p.ref(), seed, times));
  }
}

// What loops over the rows of a batch become; each input has an axis of rows in front.
TEST_CASE("independent_rows keeps the meaning of batches of random programs") {
  constexpr int rows = 5;
  int found = 0;
  for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    program const p = random_program(seed, nested);
    if (has_many_axes(p.ref())) continue;
    arena<batch_axis> dims;
    arena<wanted_axis> want;
    for (int k = 0; k < p.ref().main().n_in; ++k) dims.push(0);
    for (int k = 0; k < p.ref().main().n_out; ++k) want.push(wanted_axis());
    program const batched = oracle::batch(p.ref(), dims, rows, want), simple = oracle::simplify(batched.ref());
    program const q = oracle::independent_rows(simple.ref());
    found += oracle::count_of(q.ref(), prim::vmap) > oracle::count_of(simple.ref(), prim::vmap);
    elements const in = random_inputs(batched.ref(), seed + 5u);
    CHECK(keeps_its_meaning(batched.ref(), q, in, interpret(batched.ref(), in)));
  }
  CHECK(found > 20);
}
TEST_CASE("vmap of random programs") {
  holds_for(flat, 1000, 1);
  holds_for(without_products(nested), 1000, 2);
  holds_for(nested, 1000, 1);
  holds_for(wide, 3000, 1);
}

}  // namespace
