// SPDX-License-Identifier: BSL-1.0
// Sizes that depend on data: the energy of charges by nonzero with room for 5000 pairs, and without sizes as a masked sum.
#include <doctest/doctest.h>

#include <seeds/energy.hpp>

using namespace seeds;

namespace {

// q gets its last element outside of the trace. Five charges: the pairs nearer than 0.2 are those of each with itself, and (0, 1), (3, 4).
constexpr ex::array<float, 5> r{0.125f, 0.25f, 0.5f, 0.875f, 0.75f}, q{1, 2, 4, 8, 16};
constexpr ex::array<float> few = ex::jit(energy)(r, ex::append(q, ex::zeros<float, 1>()), 0.2f, ex::static_<12>);
static_assert(few == 1 + 4 + 16 + 64 + 256 + 2 * 2 + 2 * 128);
static_assert(ex::jit(masked_energy)(r, q, 0.2f) == few);

}  // namespace

TEST_CASE("the energy of 100 charges") {
  auto const padded = ex::append(charges, ex::array<float, 1>());
  float const by_pairs = ex::jit(energy)(positions, padded, 0.2f, ex::static_<5000>);
  float const by_mask = ex::jit(masked_energy)(positions, charges, 0.2f);
  CHECK(by_pairs == doctest::Approx(1035.7422).epsilon(1e-6));
  CHECK(by_mask == doctest::Approx(by_pairs).epsilon(1e-6));

  double exact = 0;
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 100; ++j)
      if (std::abs(positions(i) - positions(j)) <= 0.2f) exact += static_cast<double>(charges(i)) * static_cast<double>(charges(j));
  CHECK(by_pairs == doctest::Approx(exact).epsilon(1e-6));
}
