// SPDX-License-Identifier: BSL-1.0
// Random programs, lowered.
#include <oracle.hpp>
#include <random/inputs.hpp>
#include <random/random_program.hpp>
#include <transforms/laws.hpp>

#include "lowered.hpp"

TEST_CASE("lowered: random programs") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    exprax::program const p = random_programs::random_program(seed, random_programs::flat, 25);
    lowered::check_texts(p.ref());
    lowered::check_texts(oracle::optimize(p.ref()).ref());
    exprax::program const q = random_programs::random_program(seed, random_programs::exact, 20);
    std::vector<laws::elements> in;
    for (auto const& x : random_programs::random_inputs(q.ref(), seed, random_programs::exact)) in.emplace_back(x.begin(), x.end());
    lowered::check_meaning(q.ref(), in);
  }
}
TEST_CASE("lowered: random nested programs") {
  using random_programs::nested;
  for (std::uint32_t seed = 1; seed <= 250; ++seed) {
    CAPTURE(seed);
    exprax::program const p = random_programs::random_program(seed, seed % 3 == 0 ? with_prints(nested) : nested);
    lowered::check_texts(p.ref());
    lowered::check_texts(oracle::optimize(p.ref()).ref());
    std::vector<laws::elements> in;
    for (auto const& x : random_programs::random_inputs(p.ref(), seed, random_programs::exact)) in.emplace_back(x.begin(), x.end());
    lowered::check_meaning(p.ref(), in);
    std::vector<exprax::batch_axis> const axes(static_cast<std::size_t>(p.ref().main().n_in), 0);
    std::vector<exprax::wanted_axis> const want(static_cast<std::size_t>(p.ref().main().n_out), 0);
    exprax::program const q = exprax::batch(p.ref(), {axes.data(), p.ref().main().n_in}, 2, {want.data(), p.ref().main().n_out});
    lowered::check_texts(q.ref());
  }
}
