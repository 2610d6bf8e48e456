// SPDX-License-Identifier: BSL-1.0
// Random programs over all primitives, lowered before and after the passes: the texts are well formed and well typed.
#include <random/random_program.hpp>

#include "lowered.hpp"

TEST_CASE("lowered: random programs") {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    exprax::program const p = random_programs::random_program(seed, 25);
    lowered::check_texts(p.ref());
    lowered::check_texts(exprax::optimize(p.ref()).ref());
  }
}
