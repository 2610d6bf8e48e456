// SPDX-License-Identifier: BSL-1.0
// Random vectors and matrices, and distributions over keys that are mapped over.
#include <cmath>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
namespace rnd = ex::random;

namespace {

constexpr auto key = rnd::key(42);

}  // namespace

TEST_CASE("normal vectors have their mean and covariance") {
  constexpr int n = 4000;
  auto const x = rnd::multivariate_normal<n>(key, ex::array<float, 2>{1, -2}, ex::array<float, 2, 2>{{2, 0.5f}, {0.5f, 1}});
  double mean[2] = {}, cov[2][2] = {};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2; ++j) mean[j] += x(i, j) / double{n};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k) cov[j][k] += (x(i, j) - mean[j]) * (x(i, k) - mean[k]) / n;
  CHECK(std::abs(mean[0] - 1) < 4 * std::sqrt(2.0 / n));
  CHECK(std::abs(mean[1] + 2) < 4 * std::sqrt(1.0 / n));
  CHECK(cov[0][0] == doctest::Approx(2).epsilon(0.1));
  CHECK(cov[1][1] == doctest::Approx(1).epsilon(0.1));
  CHECK(std::abs(cov[0][1] - 0.5) < 0.1);
}

TEST_CASE("orthogonal matrices") {
  auto const q = rnd::orthogonal<3>(key);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double product = 0;
      for (int k = 0; k < 3; ++k) product += double{q(k, i)} * double{q(k, j)};
      CHECK(std::abs(product - (i == j ? 1 : 0)) < 1e-5);
    }
}

TEST_CASE("row i of what is mapped over keys is that of key i") {
  auto const keys = rnd::split<3>(key);
  auto const rows = ex::jit([](auto k) { return ex::vmap([](auto one) { return ex::tuple(rnd::normal<5>(one), rnd::permutation(one, ex::static_<5>)); })(k); })(keys);
  for (int i = 0; i < 3; ++i) {
    auto const one = ex::array<ex::prng_key>::full(keys(i));
    auto const x = rnd::normal<5>(one);
    auto const order = rnd::permutation(one, ex::static_<5>);
    for (int j = 0; j < 5; ++j) {
      CHECK(ex::get<0>(rows)(i, j) == x(j));
      CHECK(ex::get<1>(rows)(i, j) == order(j));
    }
  }
}
