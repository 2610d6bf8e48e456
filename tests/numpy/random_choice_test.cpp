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

TEST_CASE("categories of StableHLO's test data, in the older mode") {
  // random_categorical_float32_5_4.mlir
  ex::array<float, 5, 4> const logits{{2.10989404f, -2.28597355f, -0.533994138f, -1.92554164f}, {-2.63784266f, -3.37571621f, 2.09938264f, -0.706916034f},
                                      {-0.851517975f, 0.113367178f, -2.97590661f, -0.724755585f}, {3.47338867f, 1.82082677f, 0.105628729f, 1.65527248f},
                                      {0.510045648f, -1.52526939f, -0.752171576f, 6.12547112f}};
  CHECK(ex::argmax(rnd::gumbel<5, 4>(key, rnd::non_partitionable) + logits, ex::axis<1>) == ex::array<int, 5>{0, 2, 1, 0, 3});
  // random_categorical_bfloat16_5_4.mlir
  ex::array<float, 5, 4> const halves{{-1.25781f, -1.625f, -2.92188f, -2.29688f}, {-0.730468f, -4.96875f, 3.34375f, -0.597656f}, {-0.486328f, 4.46875f, -3.21875f, 2.90625f},
                                      {-3.3125f, 2.5625f, -2.26563f, -1.80469f}, {-1.40625f, 0.707031f, -1.36719f, -3.3125f}};
  auto const best = ex::jit([](auto k, auto l) {
    return ex::argmax(rnd::gumbel<ex::bfloat16, 5, 4>(k, rnd::non_partitionable) + ex::astype<ex::bfloat16>(l), ex::axis<1>);
  })(key, halves);
  CHECK(best == ex::array<int, 5>{3, 2, 1, 1, 1});
}
