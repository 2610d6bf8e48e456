// SPDX-License-Identifier: BSL-1.0
// Square matrix products against Eigen, with sizes known to the compiler and with sizes known at run time. Dense layers, relu(x w + b),
// against Eigen's product and one sweep over its results; c + a b against a copy to which Eigen adds its product.
#include <cmath>
#include <vector>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "compare.hpp"
#include "results.hpp"

namespace ex = exprax;

namespace {

constexpr auto product = [](auto a, auto b) { return ex::dot(a, b); };

template <int N>
[[gnu::noinline]] void by_exprax(float* out, float const* a, float const* b) {
  ex::view<float, N, N> result(out);
  ex::jit(product).into(result, ex::view<float const, N, N>(a), ex::view<float const, N, N>(b));
}
template <int N, int Fixed>
[[gnu::noinline]] void by_eigen(float* out, float const* a, float const* b) {
  using matrix = Eigen::Matrix<float, Fixed, Fixed, Eigen::RowMajor>;
  Eigen::Map<matrix>(out, N, N).noalias() = Eigen::Map<matrix const>(a, N, N) * Eigen::Map<matrix const>(b, N, N);
}

template <int N>
void dot(benchmark::State& state) {
  alignas(64) static float a[N * N], b[N * N], ours[N * N], peers[2][N * N];
  for (int i = 0; i < N * N; ++i) {
    a[i] = std::sin(static_cast<float>(i) * 1.37f);
    b[i] = std::cos(static_cast<float>(i) * 0.73f);
  }
  auto candidate = [&](auto f, float* out) {
    return [=] {
      bench::touch(a);
      f(out, a, b);
      bench::touch(out);
    };
  };
  bench::compare(state, candidate(by_exprax<N>, ours), candidate(by_eigen<N, N>, peers[0]), candidate(by_eigen<N, Eigen::Dynamic>, peers[1]));
  for (auto const& p : peers)
    for (int i = 0; i < N * N; ++i)
      if (!(std::abs(ours[i] - p[i]) <= 1e-4f * (1 + std::abs(p[i])))) state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(dot<8>);
EXPRAX_COMPARE(dot<16>);
EXPRAX_COMPARE(dot<32>);
EXPRAX_COMPARE(dot<64>);
EXPRAX_COMPARE(dot<128>);

template <int Rows, int Columns>
using matrix = Eigen::Map<Eigen::Matrix<float, Rows, Columns, Eigen::RowMajor>>;
template <int Rows, int Columns>
using constant = Eigen::Map<Eigen::Matrix<float, Rows, Columns, Eigen::RowMajor> const>;
constexpr auto layer = [](auto x, auto w, auto b) { return ex::nn::relu(ex::dot(x, w) + b); };
constexpr auto added = [](auto c, auto a, auto b) { return c + ex::dot(a, b); };
using floats = std::vector<float>;

template <int Rows, int Columns, int Terms>
void dense(benchmark::State& state) {
  auto const x = bench::numbers<floats>(Rows * Terms, 1.37f), w = bench::numbers<floats>(Terms * Columns, 0.73f);
  auto const b = bench::numbers<floats>(Columns, 0.37f);
  floats const out(std::size_t{Rows} * Columns);
  bench::compare_results(
      state, x, out, out, {1e-4, 1e-4},
      [&](floats& ours) {
        ex::view<float, Rows, Columns> y(ours.data());
        ex::jit(layer).into(y, ex::view<float const, Rows, Terms>(x.data()), ex::view<float const, Terms, Columns>(w.data()),
                            ex::view<float const, Columns>(b.data()));
      },
      [&](floats& peer) {
        matrix<Rows, Columns> y(peer.data());
        y.noalias() = constant<Rows, Terms>(x.data()) * constant<Terms, Columns>(w.data());
        for (int i = 0; i < Rows; ++i) y.row(i) = (y.row(i) + constant<1, Columns>(b.data())).cwiseMax(0.0f);
      });
}
EXPRAX_COMPARE(dense<64, 64, 64>);
EXPRAX_COMPARE(dense<512, 512, 64>);
EXPRAX_COMPARE(dense<1000, 128, 32>);
EXPRAX_COMPARE(dense<1000, 1000, 16>);

template <int Rows, int Columns, int Terms>
void sum_with_product(benchmark::State& state) {
  auto const a = bench::numbers<floats>(Rows * Terms, 1.37f), b = bench::numbers<floats>(Terms * Columns, 0.73f);
  auto const c = bench::numbers<floats>(Rows * Columns, 0.37f);
  floats const out(std::size_t{Rows} * Columns);
  bench::compare_results(
      state, a, out, out, {1e-4, 1e-4},
      [&](floats& ours) {
        ex::view<float, Rows, Columns> y(ours.data());
        ex::jit(added).into(y, ex::view<float const, Rows, Columns>(c.data()), ex::view<float const, Rows, Terms>(a.data()),
                            ex::view<float const, Terms, Columns>(b.data()));
      },
      [&](floats& peer) {
        matrix<Rows, Columns> y(peer.data());
        y = constant<Rows, Columns>(c.data());
        y.noalias() += constant<Rows, Terms>(a.data()) * constant<Terms, Columns>(b.data());
      });
}
EXPRAX_COMPARE(sum_with_product<64, 64, 64>);
EXPRAX_COMPARE(sum_with_product<512, 512, 64>);

}  // namespace
