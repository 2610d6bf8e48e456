// SPDX-License-Identifier: BSL-1.0
// Derivatives of random numbers by the parameters of their distribution: of gamma numbers those that leave the probability of smaller
// numbers what it is (jax.lax.random_gamma_grad); of what is made of them the derivatives of means that are known.
#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "derivatives/law.hpp"

namespace ex = exprax;
namespace rnd = ex::random;
using namespace law;

namespace {

constexpr int n = 2000;

// The lower incomplete gamma function over gamma(a), by its power series.
long double gammainc(long double a, long double x) {
  long double term = 1 / std::tgamma(a + 1), sum = term;
  for (int k = 1; k < 400; ++k) sum += term *= x / (a + k);
  return sum * std::exp(a * std::log(x) - x);
}
// The derivative of x by a where gammainc(a, x) stays.
double by_order(double a, double x) {
  long double const h = 1e-6L, density = std::exp((a - 1) * std::log(x) - x - std::lgamma(a));
  return static_cast<double>(-(gammainc(a + h, x) - gammainc(a - h, x)) / (2 * h) / density);
}

// f(key, parameters): n numbers, and the derivative of each by its parameter.
template <class F>
auto numbers_of(F, std::vector<double> const& parameters) {
  ex::program_ref const p = of<f64<n>>::program([](auto a) {
    return ex::jvp([](auto b) { return F{}(rnd::key(3), b); }, ex::tuple(a), ex::tuple(ex::ones<double, n>()));
  });
  values x{std::vector<double>(n)};
  for (std::size_t k = 0; k < n; ++k) x[0][k] = parameters[k % parameters.size()];
  values r = run(p, x);
  r.push_back(x[0]);
  return r;
}
double mean(std::vector<double> const& x) {
  double sum = 0;
  for (double e : x) sum += e;
  return sum / static_cast<double>(x.size());
}
// Whether the mean is what is expected, but for 4 standard errors.
bool has_mean(std::vector<double> const& x, double expected) {
  double const m = mean(x);
  double squares = 0;
  for (double e : x) squares += (e - m) * (e - m);
  return std::abs(m - expected) < 4 * std::sqrt(squares) / static_cast<double>(x.size());
}

}  // namespace

TEST_CASE("gamma numbers") {
  auto const r = numbers_of([](auto key, auto a) { return rnd::gamma<double>(key, a); }, {0.05, 0.5, 1, 2.5, 9, 40});
  double worst = 0;
  for (std::size_t k = 0; k < n; ++k) {
    double const expected = by_order(r[2][k], r[0][k]);
    worst = std::max(worst, std::abs(r[1][k] - expected) / (1e-3 + std::abs(expected)));
  }
  CHECK(worst < 1e-7);
  auto const logarithms = numbers_of([](auto key, auto a) { return rnd::loggamma<double>(key, a); }, {0.05, 0.5, 1, 2.5, 9, 40});
  worst = 0;
  for (std::size_t k = 0; k < n; ++k) {
    double const x = std::exp(logarithms[0][k]), expected = by_order(logarithms[2][k], x) / x;
    worst = std::max(worst, std::abs(logarithms[1][k] - expected) / (1 + std::abs(expected)));
  }
  CHECK(worst < 1e-7);
  // d/da of the means a and digamma(a); trigamma(1) is pi^2 / 6.
  CHECK(has_mean(numbers_of([](auto key, auto a) { return rnd::gamma<double>(key, a); }, {1.5})[1], 1));
  CHECK(has_mean(numbers_of([](auto key, auto a) { return rnd::loggamma<double>(key, a); }, {1})[1], 1.6449340668482264));
}

TEST_CASE("what is made of gamma numbers") {
  // beta: a / (a + b)
  CHECK(has_mean(numbers_of([](auto key, auto a) { return rnd::beta<double>(key, a, 2.0); }, {3})[1], 2.0 / 25));
  CHECK(has_mean(numbers_of([](auto key, auto b) { return rnd::beta<double>(key, 3.0, b); }, {2})[1], -3.0 / 25));
  // chisquare: df
  CHECK(has_mean(numbers_of([](auto key, auto df) { return rnd::chisquare<double>(key, df); }, {3})[1], 1));
  // t: the mean of squares is df / (df - 2)
  CHECK(has_mean(numbers_of([](auto key, auto df) { return ex::square(rnd::t<double>(key, df)); }, {12})[1], -2.0 / 100));
  // dirichlet: alpha(k) / sum(alpha), by alpha(0)
  ex::program_ref const p = of<f64<3>>::program([](auto alpha) {
    return ex::jvp([](auto a) { return rnd::dirichlet<double, n>(rnd::key(5), a); }, ex::tuple(alpha), ex::tuple(ex::array<double, 3>{1, 0, 0}));
  });
  auto const r = run(p, {{2, 1, 3}});
  double const expected[] = {4.0 / 36, -1.0 / 36, -3.0 / 36};
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> column;
    for (std::size_t row = 0; row < n; ++row) column.push_back(r[1][3 * row + k]);
    CHECK(has_mean(column, expected[k]));
  }
}

TEST_CASE("gradients by parameters") {
  // Reverse mode is the transpose of forward mode.
  ex::program_ref const forward = of<f64<4>>::program([](auto a) {
    return ex::get<1>(ex::jvp([](auto b) { return rnd::gamma<double>(rnd::key(1), b); }, ex::tuple(a), ex::tuple(ex::ones<double, 4>())));
  });
  ex::program_ref const backward = of<f64<4>>::program([](auto a) {
    return ex::grad([](auto b) { return ex::sum(rnd::gamma<double>(rnd::key(1), b)); })(a);
  });
  values const a{{0.5, 1, 2, 7}};
  CHECK(run(forward, a) == run(backward, a));
}
