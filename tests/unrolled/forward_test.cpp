// SPDX-License-Identifier: BSL-1.0
// A loop nest that tracing unrolls to 36,000 equations compiles, and agrees with the plain loop and with the scan.
#include <doctest/doctest.h>

#include <seeds/forward.hpp>

TEST_CASE("the unrolled forward at 64 x 32") {
  auto const w = seeds::weights<64, 32>();
  auto const a = ex::jit(seeds::forward)(w);
  CHECK(seeds::difference(a, seeds::plain_loop(w)) < 1e-5f);
  CHECK(seeds::difference(a, ex::jit(seeds::forward3)(w)) < 1e-5f);
}
