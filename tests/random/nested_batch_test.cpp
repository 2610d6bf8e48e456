// SPDX-License-Identifier: BSL-1.0
// vmap of loops in branches in loops, for random choices of axes: row i of the results is the program on row i of the inputs, bit
// for bit; the same for a batch of a batch; and the passes keep what batching made, conditions for each row included.
#include <doctest/doctest.h>

#include <random/nested_program.hpp>
#include <transforms/laws.hpp>
#include <exprax/passes/pipeline.hpp>

namespace {

using namespace random_programs;

// Axes for the inputs of p, at least one of them.
std::vector<batch_axis> random_axes(program_ref p, laws::generator& g) {
  struct block const& b = p.main();
  std::vector<batch_axis> dims;
  for (int v : p.ins(b)) dims.push_back(g.below(2) == 0 ? not_mapped : g.below(p.type(v).rank + 1));
  int const k = g.below(b.n_in);
  dims[static_cast<std::size_t>(k)] = g.below(p.type(p.ins(b)[k]).rank + 1);
  return dims;
}
program batched(program_ref p, std::vector<batch_axis> const& dims, int size) {
  std::vector<wanted_axis> const want(static_cast<std::size_t>(p.main().n_out));
  return batch(p, {dims.data(), p.main().n_in}, size, {want.data(), p.main().n_out});
}
bool same_after_passes(program_ref p, laws::generator& g) {
  program const q = oracle::optimize(p);
  if (!oracle::is_well_formed(q.ref())) return false;
  std::vector<laws::elements> in;
  for (int v : p.ins(p.main())) in.push_back(g.fill(p.type(v)));
  auto const a = laws::run(p, in), b = laws::run(q.ref(), in);
  for (int k = 0; k < p.main().n_out; ++k) {
    auto const n = static_cast<std::size_t>(k);
    if (a[n].size() != b[n].size()) return false;
    for (std::size_t i = 0; i < a[n].size(); ++i)
      if (!same_element(p.type(p.outs(p.main())[k]).type, a[n][i], b[n][i])) return false;
  }
  return true;
}

TEST_CASE("vmap of nested programs") {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    program const p = nested_program(seed, content::no_products);
    laws::generator g(seed);
    for (int size : {3, 1}) {
      auto const dims = random_axes(p.ref(), g);
      CHECK(laws::batch_law_for(p.ref(), dims, size, g));
      program const q = batched(p.ref(), dims, size);
      CHECK(same_after_passes(q.ref(), g));
      auto const again = random_axes(q.ref(), g);
      CHECK(laws::batch_law_for(q.ref(), again, 2, g));
      program const r = batched(q.ref(), again, 2);
      CHECK(same_after_passes(r.ref(), g));
    }
  }
}

}  // namespace
