// SPDX-License-Identifier: BSL-1.0
// The noise of a Kalman filter is estimated: its log likelihood is maximized by Newton's method, through the scan of the filter.
#include <iostream>
#include <numbers>

#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr int n = 100;

// A cart, x = (position, velocity), gets random pushes: x' = f x + g push. Its position is measured with errors.
constexpr ex::array<double, 2, 2> f{{1, 1}, {0, 1}};
constexpr ex::array<double, 2> g{0.5, 1};

// The measurements for n pushes and errors of variance 1. noise: the logarithms of the real standard deviations.
constexpr auto simulate = [](auto noise, auto pushes_and_errors) {
  auto const sd = ex::exp(noise);
  auto const body = [=](auto x, auto e) {
    auto const next = ex::dot(f, x) + g * (sd(0) * e(0));
    return ex::tuple(next, next(0) + sd(1) * e(1));
  };
  return ex::get<1>(ex::scan(body, ex::zeros<double, 2>(), pushes_and_errors));
};

// The log density of normal values with mean 0: of one, by its variance; of several, by a Cholesky factor of their covariance.
constexpr auto log_normal = [](auto y, auto variance) {
  return -0.5 * (ex::square(y) / variance + ex::log(2 * std::numbers::pi * variance));
};
constexpr auto log_normals = [](auto ys, auto factor) {
  auto const independent = ex::linalg::solve_triangular<true>(factor, ys);
  return ex::sum(log_normal(independent, ex::ones_like(ys)) - ex::log(ex::diagonal(factor)));
};

// By the filter: each measurement given those before it.
constexpr auto log_likelihood = [](auto noise, auto ys) {
  auto const variance = ex::exp(2.0 * noise);
  auto const body = [=](auto state, auto y) {
    auto const [last_mean, last_covariance] = state;
    auto const mean = ex::dot(f, last_mean);
    auto const covariance = ex::dot(ex::dot(f, last_covariance), ex::transpose(f)) + variance(0) * ex::outer(g, g);
    auto const surprise = y - mean(0);
    auto const its_variance = covariance(0, 0) + variance(1);
    auto const gain = covariance(ex::all, 0) / its_variance;
    auto const updated = ex::tuple(mean + gain * surprise, covariance - ex::outer(gain, covariance(0)));
    return ex::tuple(updated, log_normal(surprise, its_variance));
  };
  return ex::sum(ex::get<1>(ex::scan(body, ex::tuple(ex::zeros<double, 2>(), ex::zeros<double, 2, 2>()), ys)));
};
// By the definition: ys is linear in pushes and errors, so its covariance is the square of a Jacobian.
constexpr auto log_likelihood_of_all = [](auto noise, auto ys) {
  auto const jacobian = ex::jacfwd([=](auto e) { return simulate(noise, e); })(ex::zeros<double, n, 2>());
  auto const a = ex::reshape<n, 2 * n>(jacobian);
  return log_normals(ys, ex::linalg::cholesky(ex::dot(a, ex::transpose(a))));
};

// Newton's method.
constexpr auto maximize = [](auto init, auto ys) {
  auto const step = [=](auto, auto x) {
    return x - ex::linalg::solve(ex::hessian(log_likelihood)(x, ys), ex::grad(log_likelihood)(x, ys));
  };
  return ex::fori_loop(0, 8, step, init);
};

int main() {
  ex::array<double, 2> const truth{-1, 0.5}, guess{-0.5, 0};
  auto const ys = ex::jit(simulate)(truth, ex::random::normal<double, n, 2>(ex::random::key(0)));
  auto const value = ex::jit(log_likelihood);
  auto const gradient = ex::jit(ex::grad(log_likelihood));
  auto const at_guess = gradient(guess, ys);
  ex::array<double, 2> differences;
  for (int k = 0; k < 2; ++k) {
    ex::array<double, 2> up = guess, down = guess;
    up(k) += 1e-5;
    down(k) -= 1e-5;
    differences(k) = (value(up, ys) - value(down, ys)) / 2e-5;
  }
  auto const best = ex::jit(maximize)(guess, ys);
  std::cout << "Kalman filter: log likelihood " << value(guess, ys) << " at first, gradient " << at_guess << ", at last " << value(best, ys)
            << ", gradient " << gradient(best, ys) << '\n';
  bool const right = ex::isclose(value(guess, ys), ex::jit(log_likelihood_of_all)(guess, ys), 1e-12) &&
                     ex::allclose(at_guess, differences, 1e-6) && value(best, ys) > value(guess, ys) &&
                     ex::allclose(gradient(best, ys), ex::zeros<double, 2>(), 0, 1e-8) && ex::allclose(best, truth, 0, 0.3);
  return right ? 0 : 1;
}
