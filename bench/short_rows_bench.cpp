// SPDX-License-Identifier: BSL-1.0
// Arrays whose rows are shorter than a pack, as points in space [n, 3]: beside plain loops.
#include <algorithm>
#include <cmath>

#include <exprax/exprax.hpp>

#include "results.hpp"

namespace ex = exprax;

namespace {

constexpr int rows = 6000;

// f(x, w): x [rows, N], w [N].
template <int N>
struct scaled {
  static constexpr auto f = [](auto x, auto w) { return x * w + 1; };
  static void plain(float const* x, float const* w, float* y) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < N; ++j) y[i * N + j] = x[i * N + j] * w[j] + 1;
  }
};
template <int N>
struct activated {
  static constexpr auto f = [](auto x, auto w) { return ex::tanh(x + w); };
  static void plain(float const* x, float const* w, float* y) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < N; ++j) y[i * N + j] = std::tanh(x[i * N + j] + w[j]);
  }
};
template <int N>
struct normalized {
  static constexpr auto f = [](auto x, auto) { return x / ex::linalg::norm(x, ex::axis<1>, ex::keepdims); };
  static void plain(float const* x, float const*, float* y) {
    for (int i = 0; i < rows; ++i) {
      float s = 0;
      for (int j = 0; j < N; ++j) s += x[i * N + j] * x[i * N + j];
      s = std::sqrt(s);
      for (int j = 0; j < N; ++j) y[i * N + j] = x[i * N + j] / s;
    }
  }
};
template <int N>
struct squares {
  static constexpr auto f = [](auto x, auto) { return ex::sum(x * x, ex::axis<1>); };
  static void plain(float const* x, float const*, float* y) {
    for (int i = 0; i < rows; ++i) {
      y[i] = 0;
      for (int j = 0; j < N; ++j) y[i] += x[i * N + j] * x[i * N + j];
    }
  }
};
template <int N>
struct largest {
  static constexpr auto f = [](auto x, auto) { return ex::max(x, ex::axis<1>); };
  static void plain(float const* x, float const*, float* y) {
    for (int i = 0; i < rows; ++i) {
      float m = x[i * N];
      for (int j = 1; j < N; ++j) m = std::max(m, x[i * N + j]);
      y[i] = m;
    }
  }
};
// Of columns.
template <int N>
struct stacked {
  static constexpr auto f = [](auto x, auto) { return ex::stack(ex::tuple(x(ex::all, 0) + 1, x(ex::all, 1) * 2), ex::axis<1>); };
  static void plain(float const* x, float const*, float* y) {
    for (int i = 0; i < rows; ++i) y[2 * i] = x[N * i] + 1, y[2 * i + 1] = x[N * i + 1] * 2;
  }
};

template <template <int> class Case, int N>
void compare_rows(benchmark::State& state) {
  ex::array<float, rows, N> x;
  ex::array<float, N> w;
  for (std::ptrdiff_t i = 0; i < x.size(); ++i) x.data()[i] = 0.1f + 0.01f * static_cast<float>(i % 97);
  for (float& e : w) e = 0.5f;
  auto const y = ex::jit(Case<N>::f)(x, w);
  bench::compare_results(
      state, x, y, y, {1e-6, 1e-5}, [&](auto& ours) { ex::jit(Case<N>::f).into(ours, x, w); },
      [&](auto& peer) { Case<N>::plain(x.data(), w.data(), peer.data()); });
}
#define EXPRAX_WIDTHS(name)               \
  EXPRAX_COMPARE(compare_rows<name, 2>);  \
  EXPRAX_COMPARE(compare_rows<name, 3>);  \
  EXPRAX_COMPARE(compare_rows<name, 5>);  \
  EXPRAX_COMPARE(compare_rows<name, 12>)
EXPRAX_WIDTHS(scaled);
EXPRAX_WIDTHS(activated);
EXPRAX_WIDTHS(normalized);
EXPRAX_WIDTHS(squares);
EXPRAX_WIDTHS(largest);
EXPRAX_WIDTHS(stacked);

}  // namespace
