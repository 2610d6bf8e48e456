// SPDX-License-Identifier: BSL-1.0
// Random orders and choices: JAX's numbers, and what must hold for every key.
#include <cmath>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
namespace rnd = ex::random;

namespace {

constexpr auto key = rnd::key(42);
constexpr int n = 3000;

}  // namespace

TEST_CASE("orders") {
  // jax.md: permutation(key(42), 10).
  CHECK(rnd::permutation(key, ex::static_<10>) == ex::array<int, 10>{7, 4, 2, 5, 3, 6, 8, 9, 0, 1});
  ex::array<int, 3, 4> table;
  for (int i = 0; i < 12; ++i) table.data()[i] = i;
  auto const [columns, rows] = ex::jit([](auto k, auto t) { return ex::tuple(rnd::permutation(k, t, ex::axis<1>), rnd::shuffle(k, t, ex::axis<1>)); })(key, table);
  auto const order = rnd::permutation(key, ex::static_<4>);
  for (int i = 0; i < 3; ++i) {
    int sum = 0;
    for (int j = 0; j < 4; ++j) {
      CHECK(columns(i, j) == 4 * i + order(j));
      CHECK(rows(i, j) / 4 == i);
      sum += rows(i, j);
    }
    CHECK(sum == 16 * i + 6);
  }
}

TEST_CASE("choices") {
  CHECK(rnd::choice<5>(key, ex::static_<7>) == rnd::randint<5>(key, 0, 7));
  ex::array<float, 4> const p{1, 0, 2, 1};
  auto const [weighted, distinct, rest] = ex::jit([](auto k, auto w) {
    return ex::tuple(rnd::choice<n>(k, ex::static_<4>, w), rnd::choice<3>(k, ex::static_<4>, w, rnd::without_replacement),
                     rnd::choice<2, 2>(k, ex::static_<4>, rnd::without_replacement));
  })(key, p);
  int counts[4] = {};
  for (int x : weighted) ++counts[x];
  CHECK(counts[1] == 0);
  CHECK(counts[2] == doctest::Approx(n / 2).epsilon(0.06));
  CHECK(distinct(0) + distinct(1) + distinct(2) == 5);
  CHECK(ex::sort(ex::ravel(rest)) == ex::array<int, 4>{0, 1, 2, 3});
}

TEST_CASE("categories") {
  ex::array<float, 2, 3> const logits{{0, 1, 30}, {30, 1, 2}};
  CHECK(rnd::categorical(key, logits) == ex::array<int, 2>{2, 0});
  CHECK(rnd::categorical(key, logits, ex::axis<0>)(0) == 1);
  ex::array<float, 3> const weights_of{std::log(0.2f), std::log(0.5f), std::log(0.3f)};
  int counts[3] = {};
  for (int x : rnd::categorical<n>(key, weights_of)) ++counts[x];
  CHECK(counts[0] == doctest::Approx(0.2 * n).epsilon(0.1));
  CHECK(counts[1] == doctest::Approx(0.5 * n).epsilon(0.06));
  auto const two = rnd::categorical<2, 2>(key, logits, rnd::without_replacement);
  CHECK((two(0, 0) == 2 && two(0, 1) == 0 && two(1, 0) != two(0, 0) && two(1, 1) != two(0, 1)));
}
