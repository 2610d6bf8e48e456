// SPDX-License-Identifier: BSL-1.0
// Random programs of all primitives, at run time: what they mean stays when vmaps are carried out, when passes simplify them, and when
// they are batched, where row i is the program on row i.
#include <doctest/doctest.h>

#include "transforms/laws.hpp"
#include <random/wide_program.hpp>

namespace {

using namespace exprax;
using detail::arena;
using laws::elements;

bool same(program_ref p, std::vector<elements> const& a, std::vector<elements> const& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    dtype const t = p.type(p.outs(p.main())[static_cast<int>(k)]).type;
    if (a[k].size() != b[k].size()) return false;
    for (std::size_t i = 0; i < a[k].size(); ++i)
      if (!random_programs::same_element(t, a[k][i], b[k][i])) return false;
  }
  return true;
}
std::vector<elements> inputs_of(program_ref p, std::uint32_t seed) {
  std::vector<elements> in;
  for (auto const& e : random_programs::random_inputs(p, seed)) in.emplace_back(e.begin(), e.end());
  return in;
}
bool keeps_its_meaning(program_ref p, program const& q, std::vector<elements> const& in, std::vector<elements> const& want) {
  return oracle::is_well_formed(q.ref()) && same(p, laws::run(q.ref(), in), want);
}
bool batches(program_ref p, std::uint32_t seed) {
  for (int v = 0; v < p.n.values; ++v)
    if (p.type(v).rank + 2 > max_rank) return true;
  random_programs::rng r(seed + 99u);
  int const rows = 1 + r.below(4);
  struct block const& b = p.main();
  arena<batch_axis> dims;
  arena<wanted_axis> out_dims;
  for (int v : p.ins(b)) dims.push(r.chance(40) ? not_mapped : r.below(p.type(v).rank + 1));
  for (int v : p.outs(b)) out_dims.push(r.below(p.type(v).rank + 1));
  program const q = oracle::batch(p, dims, rows, out_dims);
  if (!oracle::is_well_formed(q.ref())) return false;
  struct block const& all = q.ref().main();
  auto const type = [&](int v) { return q.ref().type(v); };
  std::vector<elements> const in = inputs_of(q.ref(), seed + 5u), out = laws::run(q.ref(), in);
  for (int i = 0; i < rows; ++i) {
    std::vector<elements> one, its;
    for (int k = 0; k < b.n_in; ++k) {
      elements const& e = in[static_cast<std::size_t>(k)];
      one.push_back(dims[k].is_mapped() ? laws::row(e, type(q.ref().ins(all)[k]), dims[k].position(), i) : e);
      one.back().push_back(0);  // a place, where there is no element
    }
    for (int k = 0; k < b.n_out; ++k) its.push_back(laws::row(out[static_cast<std::size_t>(k)], type(q.ref().outs(all)[k]), out_dims[k].axis().position(), i));
    if (!same(p, laws::run(p, one), its)) return false;
  }
  return keeps_its_meaning(q.ref(), oracle::simplify(q.ref()), in, out);
}

}  // namespace

TEST_CASE("random programs of all primitives") {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    program const p = wide_programs::wide_program(seed, 7);
    CHECK(oracle::is_well_formed(p.ref()));
    std::vector<elements> const in = inputs_of(p.ref(), seed), want = laws::run(p.ref(), in);
    CHECK(keeps_its_meaning(p.ref(), oracle::expand_vmap(p.ref()), in, want));
    CHECK(keeps_its_meaning(p.ref(), oracle::simplify(p.ref()), in, want));
    CHECK(batches(p.ref(), seed));
  }
}
