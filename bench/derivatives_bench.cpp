// SPDX-License-Identifier: BSL-1.0
// Gradients, in double: ours against the gradient written by hand; and against the value alone (of_value: how many values the gradient
// costs). The programs are those of the public ADBenchmark, written anew from their formulas, and Rosenbrock's function; prod_iter is
// Speelpenning's product.
#include <cmath>

#include <exprax/exprax.hpp>

#include "gradients.hpp"

namespace ex = exprax;

namespace {

using bench::compare_gradients, bench::numbers;

constexpr int n = 1000, rows = 200, columns = 32, times = 500, side = 48;

// f: a function of one array.
template <auto const& F, int... D>
struct ours {
  static void gradient(double const* x, double* to) { ex::jit(ex::grad(F)).into(ex::view<double, D...>(to), ex::view<double const, D...>(x)); }
  static double value(double const* x) { return *ex::jit(F)(ex::view<double const, D...>(x)).data(); }
};

// --- sum and product ---

constexpr auto sum = [](auto x) { return ex::sum(x); };
constexpr auto sum_iter = [](auto x) { return ex::get<0>(ex::scan([](auto s, auto e) { return ex::tuple(s + e, ex::none); }, 0.0, x)); };
constexpr auto prod = [](auto x) { return ex::prod(x); };
constexpr auto prod_iter = [](auto x) { return ex::get<0>(ex::scan([](auto s, auto e) { return ex::tuple(s * e, ex::none); }, 1.0, x)); };

[[gnu::noinline]] void sum_by_hand(double const*, double* to) {
  for (int i = 0; i < n; ++i) to[i] = 1;
}
[[gnu::noinline]] void prod_by_hand(double const* x, double* to) {
  double before = 1, behind = 1;
  for (int i = 0; i < n; ++i) {
    to[i] = before;
    before *= x[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    to[i] *= behind;
    behind *= x[i];
  }
}
template <auto const& F>
void sum_like(benchmark::State& state) {
  compare_gradients<n>(state, numbers<n>(-1, 1), ours<F, n>::gradient, sum_by_hand, ours<F, n>::value);
}
template <auto const& F>
void prod_like(benchmark::State& state) {
  compare_gradients<n>(state, numbers<n>(0.99, 1.01), ours<F, n>::gradient, prod_by_hand, ours<F, n>::value);
}

// --- log_sum_exp, matrix_product, normal_log_pdf ---

constexpr auto log_sum_exp = [](auto x) { return ex::log(ex::sum(ex::exp(x))); };
[[gnu::noinline]] void log_sum_exp_by_hand(double const* x, double* to) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += to[i] = std::exp(x[i]);
  for (int i = 0; i < n; ++i) to[i] /= s;
}
void of_log_sum_exp(benchmark::State& state) {
  compare_gradients<n>(state, numbers<n>(-1, 1), ours<log_sum_exp, n>::gradient, log_sum_exp_by_hand, ours<log_sum_exp, n>::value);
}

// x: two matrices.
constexpr auto matrix_product = [](auto x) { return ex::sum(ex::matmul(x(0), x(1))); };
[[gnu::noinline]] void matrix_product_by_hand(double const* x, double* to) {
  double const *a = x, *b = x + side * side;
  for (int k = 0; k < side; ++k) {
    double row = 0, column = 0;
    for (int j = 0; j < side; ++j) row += b[k * side + j], column += a[j * side + k];
    for (int i = 0; i < side; ++i) to[i * side + k] = row, to[side * side + k * side + i] = column;
  }
}
void of_matrix_product(benchmark::State& state) {
  using f = ours<matrix_product, 2, side, side>;
  compare_gradients<2 * side * side>(state, numbers<2 * side * side>(-1, 1), f::gradient, matrix_product_by_hand, f::value);
}

constexpr double mean = -0.56, deviation = 1.37;
constexpr auto normal_log_pdf = [](auto x) { return -0.5 * ex::sum(ex::square(x - mean)) / (deviation * deviation) - n * ex::log(deviation); };
[[gnu::noinline]] void normal_log_pdf_by_hand(double const* x, double* to) {
  for (int i = 0; i < n; ++i) to[i] = (mean - x[i]) / (deviation * deviation);
}
void of_normal_log_pdf(benchmark::State& state) {
  using f = ours<normal_log_pdf, n>;
  compare_gradients<n>(state, numbers<n>(-1, 1), f::gradient, normal_log_pdf_by_hand, f::value);
}

// --- regression: weights w, offset b and deviation s of y = X w + b + noise, with priors N(0, 5) of w and b ---

ex::array<double, rows, columns> const& features() {
  static ex::array<double, rows, columns> const x = [] {
    ex::array<double, rows, columns> r;
    double const* const from = numbers<rows * columns>(-1, 1);
    for (int i = 0; i < rows * columns; ++i) r.data()[i] = from[i];
    return r;
  }();
  return x;
}
ex::array<double, rows> const& results() {
  static ex::array<double, rows> const y = [] {
    ex::array<double, rows> r;
    for (int i = 0; i < rows; ++i) r(i) = std::sin(i);
    return r;
  }();
  return y;
}
constexpr auto regression = [](auto p, auto x, auto y) {
  auto const w = p(ex::slice<0, columns>);
  auto const b = p(columns), s = p(columns + 1);
  auto const noise = (y - ex::dot(x, w) - b) / s;
  return -0.5 * ex::sum(noise * noise) - rows * ex::log(s) - 0.5 * (ex::sum(w * w) + b * b) / 25.0;
};
[[gnu::noinline]] void regression_by_hand(double const* p, double* to) {
  double const* const x = features().data();
  double const* const y = results().data();
  double const b = p[columns], s = p[columns + 1], inverse = 1 / (s * s);
  double squares = 0, sum = 0;
  for (int k = 0; k < columns; ++k) to[k] = -p[k] / 25;
  for (int i = 0; i < rows; ++i) {
    double e = y[i] - b;
    for (int k = 0; k < columns; ++k) e -= x[i * columns + k] * p[k];
    squares += e * e, sum += e;
    for (int k = 0; k < columns; ++k) to[k] += e * inverse * x[i * columns + k];
  }
  to[columns] = sum * inverse - b / 25;
  to[columns + 1] = squares * inverse / s - rows / s;
}
void of_regression(benchmark::State& state) {
  double* const p = numbers<columns + 2>(0.5, 1.5);
  compare_gradients<columns + 2>(
      state, p,
      [](double const* x, double* to) {
        ex::jit(ex::grad(regression)).into(ex::view<double, columns + 2>(to), ex::view<double const, columns + 2>(x), features(), results());
      },
      regression_by_hand, [](double const* x) { return *ex::jit(regression)(ex::view<double const, columns + 2>(x), features(), results()).data(); });
}

// --- stochastic_volatility: an autoregression h of the logarithms of variances; p: phi, sigma, mu, and the standardized h ---

ex::array<double, times> const& returns() {
  static ex::array<double, times> const y = [] {
    ex::array<double, times> r;
    for (int i = 0; i < times; ++i) r(i) = 0.3 * std::cos(3.0 * i);
    return r;
  }();
  return y;
}
constexpr auto stochastic_volatility = [](auto p, auto y) {
  auto const phi = p(0), sigma = p(1), mu = p(2);
  auto const z = p(ex::slice<3, ex::none>);
  auto const step = [=](auto h, auto e) {
    auto const next = mu + sigma * e + phi * (h - mu);
    return ex::tuple(next, next);
  };
  // The first one has the stationary variance.
  auto const first = mu + sigma * z(0) / ex::sqrt(1.0 - phi * phi);
  auto const others = ex::get<1>(ex::scan(step, first, z(ex::slice<1, ex::none>)));
  auto const density = [](auto h, auto v) { return -0.5 * (h + v * v * ex::exp(-h)); };
  return density(first, y(0)) + ex::sum(density(others, y(ex::slice<1, ex::none>))) - 0.5 * ex::sum(z * z);
};
[[gnu::noinline]] void stochastic_volatility_by_hand(double const* p, double* to) {
  static double h[times];
  double const *y = returns().data(), *z = p + 3, phi = p[0], sigma = p[1], mu = p[2], root = std::sqrt(1 - phi * phi);
  h[0] = mu + sigma * z[0] / root;
  for (int t = 1; t < times; ++t) h[t] = mu + sigma * z[t] + phi * (h[t - 1] - mu);
  double of_phi = 0, of_sigma = 0, of_mu = 0, carried = 0;
  for (int t = times - 1; t >= 1; --t) {
    double const c = carried - 0.5 * (1 - y[t] * y[t] * std::exp(-h[t]));
    to[3 + t] = c * sigma - z[t];
    of_sigma += c * z[t], of_mu += c * (1 - phi), of_phi += c * (h[t - 1] - mu);
    carried = c * phi;
  }
  double const c = carried - 0.5 * (1 - y[0] * y[0] * std::exp(-h[0]));
  to[3] = c * sigma / root - z[0];
  to[0] = of_phi + c * sigma * z[0] * phi / (root * root * root);
  to[1] = of_sigma + c * z[0] / root;
  to[2] = of_mu + c;
}
void of_stochastic_volatility(benchmark::State& state) {
  double* const p = numbers<times + 3>(-0.5, 0.5);
  p[0] = 0.9, p[1] = 0.3, p[2] = -1;
  compare_gradients<times + 3>(
      state, p,
      [](double const* x, double* to) {
        ex::jit(ex::grad(stochastic_volatility)).into(ex::view<double, times + 3>(to), ex::view<double const, times + 3>(x), returns());
      },
      stochastic_volatility_by_hand,
      [](double const* x) { return *ex::jit(stochastic_volatility)(ex::view<double const, times + 3>(x), returns()).data(); });
}

// --- Rosenbrock's function ---

constexpr auto rosenbrock = [](auto x) {
  auto const a = x(ex::slice<ex::none, -1>), b = x(ex::slice<1, ex::none>);
  return ex::sum(100.0 * ex::square(b - a * a) + ex::square(1.0 - a));
};
[[gnu::noinline]] void rosenbrock_by_hand(double const* x, double* to) {
  to[0] = 0;
  for (int i = 0; i + 1 < n; ++i) {
    double const d = x[i + 1] - x[i] * x[i];
    to[i] += -400 * d * x[i] - 2 * (1 - x[i]);
    to[i + 1] = 200 * d;
  }
}
void of_rosenbrock(benchmark::State& state) {
  compare_gradients<n>(state, numbers<n>(-1, 1), ours<rosenbrock, n>::gradient, rosenbrock_by_hand, ours<rosenbrock, n>::value);
}

EXPRAX_COMPARE(sum_like<sum>)->Name("sum");
EXPRAX_COMPARE(sum_like<sum_iter>)->Name("sum_iter");
EXPRAX_COMPARE(prod_like<prod>)->Name("prod");
EXPRAX_COMPARE(prod_like<prod_iter>)->Name("prod_iter");
EXPRAX_COMPARE(of_log_sum_exp)->Name("log_sum_exp");
EXPRAX_COMPARE(of_matrix_product)->Name("matrix_product");
EXPRAX_COMPARE(of_normal_log_pdf)->Name("normal_log_pdf");
EXPRAX_COMPARE(of_regression)->Name("regression");
EXPRAX_COMPARE(of_stochastic_volatility)->Name("stochastic_volatility");
EXPRAX_COMPARE(of_rosenbrock)->Name("rosenbrock");

}  // namespace
