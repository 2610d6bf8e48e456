// SPDX-License-Identifier: BSL-1.0
// Nested loops, as first written, with one convolution a column, and as a scan: all three are the same function. The first at
// its full size, 36,000 equations, is in tests/unrolled/.
#include <doctest/doctest.h>

#include <seeds/forward.hpp>

using namespace seeds;

TEST_CASE("forward at 64 x 32, by convolutions and by a scan") {
  auto const w = weights<64, 32>();
  auto const expected = plain_loop(w);
  CHECK(difference(ex::jit(forward2)(w), expected) < 1e-5f);
  CHECK(difference(ex::jit(forward3)(w), expected) < 1e-5f);
}

TEST_CASE("forward in small sizes: below one pack, and ragged") {
  auto check = [](auto const& w) {
    auto const expected = plain_loop(w);
    CHECK(difference(ex::jit(forward)(w), expected) < 1e-5f);
    CHECK(difference(ex::jit(forward2)(w), expected) < 1e-5f);
    CHECK(difference(ex::jit(forward3)(w), expected) < 1e-5f);
  };
  check(weights<3, 1>());
  check(weights<5, 2>());
  check(weights<19, 7>());
}

TEST_CASE("forward3 batched is forward3 of each") {
  constexpr int n = 3;
  ex::array<float, n, 19, 7> batch;
  for (std::ptrdiff_t i = 0; i < batch.size(); ++i) batch.data()[i] = std::cos(static_cast<float>(i) * 0.73f);
  auto const all = ex::jit(ex::vmap(forward3))(batch);
  for (int k = 0; k < n; ++k) {
    ex::array<float, 19, 7> w;
    for (std::ptrdiff_t i = 0; i < w.size(); ++i) w.data()[i] = batch.data()[k * w.size() + i];
    auto const one = ex::jit(forward3)(w);
    for (std::ptrdiff_t i = 0; i < one.size(); ++i) CHECK(all.data()[k * one.size() + i] == one.data()[i]);
  }
}

// The same kernel in constant evaluation.
namespace {
constexpr auto ones_5x2 = ex::array<float, 5, 2>::full(1.0f);
static_assert(ex::jit(forward)(ones_5x2) == ex::array<float, 5, 3>{{1, 0, 0}, {1, 3, 6}, {1, 3, 9}, {1, 3, 6}, {1, 0, 0}});
static_assert(ex::jit(forward3)(ones_5x2) == ex::jit(forward)(ones_5x2));
static_assert(ex::jit(forward2)(ones_5x2) == ex::jit(forward)(ones_5x2));
}  // namespace
