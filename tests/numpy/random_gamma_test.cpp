// SPDX-License-Identifier: BSL-1.0
// Gamma numbers against the distributions of mathematics; what is made of them follows.
#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
namespace rnd = ex::random;

namespace {

constexpr int n = 3001;

// The greatest distance of the distributions, times the root of the number of samples: above 1.95 for one seed in a thousand.
template <class F>
double distance(std::vector<double> x, F const& below) {
  std::sort(x.begin(), x.end());
  double most = 0, count = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    double const p = below(x[i]), at = static_cast<double>(i) / count;
    most = std::max({most, p - at, at + 1 / count - p});
  }
  return most * std::sqrt(count);
}

}  // namespace

TEST_CASE("gamma numbers of several shape parameters") {
  ex::array<float, n> a;
  for (int i = 0; i < n; ++i) a(i) = i % 2 == 0 ? 0.5f : 2.0f;
  a(n - 1) = -2.8f;  // as StableHLO's random_gamma_float32_3_chlo.mlir: NaN
  auto const made = rnd::gamma<n>(rnd::key(42), a);
  std::vector<double> half, two;
  for (int i = 0; i < n - 1; ++i) (i % 2 == 0 ? half : two).push_back(made(i));
  CHECK(distance(half, [](double x) { return std::erf(std::sqrt(x)); }) < 1.95);
  CHECK(distance(two, [](double x) { return 1 - std::exp(-x) * (1 + x); }) < 1.95);
  CHECK(std::isnan(made(n - 1)));
}
