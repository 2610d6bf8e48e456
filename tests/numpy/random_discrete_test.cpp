// SPDX-License-Identifier: BSL-1.0
// Discrete distributions: mean and variance of many samples, for parameters on either side of where the method changes. And weights
// to begin with.
#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
namespace rnd = ex::random;

namespace {

constexpr int n = 4000;

// Of every other element.
struct moments {
  double mean = 0, variance = 0;
  template <class A>
  moments(A const& a, int first) {
    for (int i = first; i < n; i += 2) mean += static_cast<double>(a(i)) / (n / 2);
    for (int i = first; i < n; i += 2) variance += (static_cast<double>(a(i)) - mean) * (static_cast<double>(a(i)) - mean) / (n / 2);
  }
};
// Of n / 2 samples: four standard deviations of the mean, and a tenth of the variance.
void agrees(moments const& m, double mean, double variance) {
  CHECK(std::abs(m.mean - mean) < 4 * std::sqrt(variance / (n / 2)));
  CHECK(m.variance == doctest::Approx(variance).epsilon(0.12));
}
ex::array<float, n> in_turn(float a, float b) {
  ex::array<float, n> x;
  for (int i = 0; i < n; ++i) x(i) = i % 2 == 0 ? a : b;
  return x;
}

}  // namespace

TEST_CASE("poisson") {
  auto const made = rnd::poisson(rnd::key(1), in_turn(3, 50));
  agrees(moments(made, 0), 3, 3);
  agrees(moments(made, 1), 50, 50);
  int least = made(0), zeros = 0;
  for (int i = 0; i < n; i += 2) least = made(i) < least ? made(i) : least, zeros += made(i) == 0;
  CHECK(least == 0);
  CHECK(zeros == doctest::Approx(std::exp(-3.0) * n / 2).epsilon(0.3));
}

TEST_CASE("geometric") {
  auto const made = rnd::geometric(rnd::key(2), in_turn(0.25f, 0.8f));
  agrees(moments(made, 0), 4, 12);
  agrees(moments(made, 1), 1.25, 0.2 / 0.64);
}

TEST_CASE("binomial") {
  auto trials = in_turn(10, 200);
  auto const p = in_turn(0.3f, 0.6f);
  auto const made = rnd::binomial(rnd::key(3), trials, p);
  agrees(moments(made, 0), 3, 2.1);
  agrees(moments(made, 1), 120, 48);
  trials(0) = -1, trials(1) = std::numeric_limits<float>::quiet_NaN(), trials(2) = 0, trials(3) = std::numeric_limits<float>::infinity();
  auto const corners = rnd::binomial(rnd::key(3), trials, p);
  CHECK((std::isnan(corners(0)) && std::isnan(corners(1)) && corners(2) == 0 && std::isinf(corners(3))));
}

TEST_CASE("weights to begin with") {
  namespace initializers = ex::nn::initializers;
  auto const w = initializers::he_normal<50, 80>(rnd::key(4));
  double sum = 0, squares = 0, most = 0;
  for (float x : w) sum += x, squares += x * x, most = std::max(most, std::abs(double{x}));
  CHECK(std::abs(sum / w.size()) < 4 * std::sqrt(2.0 / 50 / w.size()));
  CHECK(squares / w.size() == doctest::Approx(2.0 / 50).epsilon(0.1));
  CHECK(most < 2 * std::sqrt(2.0 / 50) / 0.8796);
  // Orthogonal rows have Q of a matrix of as many columns, turned; variances are of the axes that are named.
  constexpr auto wide = [](auto key) { return initializers::orthogonal<2, 3>(key); };
  static_assert(decltype(ex::eval_shape(wide, rnd::key(1)))::extent(1) == 3);
  auto const v = initializers::variance_scaling<initializers::fan_mode::fan_geo_avg, initializers::distribution::normal, float, 4, 25, 40>(
      rnd::key(2), 1, initializers::in_axis<0>, initializers::out_axis<2>, initializers::batch_axis<1>);
  squares = 0;
  for (float x : v) squares += x * x;
  CHECK(squares / v.size() == doctest::Approx(1 / std::sqrt(4.0 * 40)).epsilon(0.1));
  auto const u = initializers::glorot_uniform<2, 3>(rnd::key(42));
  CHECK(u(0, 1) == doctest::Approx(0.3595949 * std::sqrt(3 * 2.0 / 5)).epsilon(1e-5));  // (2 * uniform - 1)(0, 1) of the key
}

// JAX's testMultinomialExample, testDoublesidedMaxwellSample.
TEST_CASE("multinomial, double_sided_maxwell") {
  ex::array<float, 3, 3> const p{{0.5f, 0.2f, 0.3f}, {1, 0, 0}, {0.5f, 0, 0.5f}};
  auto const counts = rnd::multinomial(rnd::key(0), 1e5f, p);
  for (int i = 0; i < 3; ++i) {
    CHECK(counts(i, 0) + counts(i, 1) + counts(i, 2) == 1e5f);
    for (int j = 0; j < 3; ++j) CHECK(std::abs(counts(i, j) / 1e5f - p(i, j)) < 1e-2f);
  }
  auto const x = rnd::double_sided_maxwell<10000>(rnd::key(0), 1.0f, 2.0f);
  double sum = 0, squares = 0;
  for (float v : x) sum += v, squares += (v - 1) * (v - 1);
  CHECK(sum / x.size() == doctest::Approx(1).epsilon(0.1));
  CHECK(std::sqrt(squares / x.size()) == doctest::Approx(2 * std::sqrt(3.0)).epsilon(0.02));
}
