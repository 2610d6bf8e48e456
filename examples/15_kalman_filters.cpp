// SPDX-License-Identifier: BSL-1.0
// A Kalman filter, and by vmap one for each of many tracks. A cart drives with constant speed; its position is measured with errors of
// variance 1. Nothing else disturbs it, so that what the filter ends with is the line of least squares, which we compute to compare.
#include <cstdio>

#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr int n = 10, tracks = 4;

// x = (position, velocity), x' = f x; what is measured is x(0).
constexpr ex::array<double, 2, 2> f{{1, 1}, {0, 1}};

// (mean, covariance), measurement -> (mean, covariance)
constexpr auto step = [](auto state, auto y) {
  auto const [last_mean, last_covariance] = state;
  auto const mean = ex::dot(f, last_mean);
  auto const covariance = ex::dot(ex::dot(f, last_covariance), ex::transpose(f));
  auto const gain = covariance(ex::all, 0) / (covariance(0, 0) + 1.0);
  return ex::tuple(mean + gain * (y - mean(0)), covariance - ex::outer(gain, covariance(0)));
};

// ys: [n] -> the last (mean, covariance). At first nothing is known: the variances are large.
constexpr auto filter = [](auto ys) {
  auto const body = [](auto state, auto y) { return ex::tuple(step(state, y), ex::none); };
  auto const start = ex::tuple(ex::zeros<double, 2>(), 1e7 * ex::eye<double, 2>());
  return ex::get<0>(ex::scan(body, start, ys));
};

// The line a + b t through ys at t = 1 - n, ..., -1, 0.
constexpr auto fit_line = [](auto ys) {
  auto const t = ex::arange<double, 1 - n, 1>();
  auto const b = ex::sum((t - ex::mean(t)) * ys) / ex::sum(ex::square(t - ex::mean(t)));
  return ex::stack(ex::tuple(ex::mean(ys) - b * ex::mean(t), b));
};

int main() {
  // Speeds 1, 2, 3, 4; measured with errors.
  auto const measure = [](auto speed, auto errors) { return speed * ex::arange<double, 1, n + 1>() + errors; };
  ex::array<double, tracks> const speeds{1, 2, 3, 4};
  auto const ys = ex::jit(ex::vmap(measure))(speeds, ex::random::normal<double, tracks, n>(ex::random::key(0)));

  auto const [means, covariances] = ex::jit(ex::vmap(filter))(ys);
  auto const lines = ex::jit(ex::vmap(fit_line))(ys);
  for (int k = 0; k < tracks; ++k) std::printf("track %d: the speed is %.1f, by least squares %.1f\n", k, means(k, 1), lines(k, 1));
  std::printf("largest difference < 1e-5: %s\n", ex::allclose(means, lines, 0, 1e-5) ? "yes" : "no");

  // Statistics says: 2 (2 n - 1) / (n (n + 1)) = 0.345 and 12 / (n (n^2 - 1)) = 0.0121.
  std::printf("variance of a position %.3f, of a speed %.4f\n", covariances(0, 0, 0), covariances(0, 1, 1));
}
