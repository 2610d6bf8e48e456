// SPDX-License-Identifier: BSL-1.0
// One kernel over many sizes, for plots (plots.py): square products, f32 and f64, against Eigen with sizes known to the compiler; an
// elementwise chain, softmax of rows, and a sum, against Eigen's arrays.
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

template <class T>
std::vector<T> numbers(std::ptrdiff_t n) {
  std::vector<T> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<T>(i % 100'003) * T(1.37));
  return x;
}
// f(out, in...) for ours and the peer, each with results of its own.
template <class T, class Ours, class Peer>
void compare(benchmark::State& state, std::ptrdiff_t n, Ours ours, Peer peer) {
  std::vector<T> a(static_cast<std::size_t>(n)), b(a.size());
  bench::compare(
      state, [&] { ours(a.data()), bench::touch(a.data()); }, [&] { peer(b.data()), bench::touch(b.data()); });
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= T(1e-3) * (1 + std::abs(b[i])))) return state.SkipWithError("the results differ");
}

constexpr auto dot = [](auto a, auto b) { return ex::dot(a, b); };
template <class T, int N>
void product(benchmark::State& state) {
  constexpr int fixed = N <= 130 ? N : Eigen::Dynamic;
  using matrix = Eigen::Matrix<T, fixed, fixed, Eigen::RowMajor>;
  auto const x = numbers<T>(2 * N * N);
  T const *const a = x.data(), *const b = a + N * N;
  compare<T>(
      state, N * N,
      [=](T* out) {
        ex::view<T, N, N> to(out);
        ex::jit(dot).into(to, ex::view<T const, N, N>(a), ex::view<T const, N, N>(b));
      },
      [=](T* out) {
        Eigen::Map<matrix>(out, N, N).noalias() = Eigen::Map<matrix const>(a, N, N) * Eigen::Map<matrix const>(b, N, N);
      });
}

using row = Eigen::Map<Eigen::ArrayXf>;
using const_row = Eigen::Map<Eigen::ArrayXf const>;

constexpr auto chain = [](auto x) { return ex::exp(-x * x) * (x + 0.5f) + ex::sqrt(ex::abs(x)); };
template <int N>
void elementwise(benchmark::State& state) {
  auto const x = numbers<float>(N);
  compare<float>(
      state, N, [&](float* out) { ex::jit(chain).into(ex::view<float, N>(out), ex::view<float const, N>(x.data())); },
      [&](float* out) {
        const_row const v(x.data(), N);
        row(out, N) = (-v * v).exp() * (v + 0.5f) + v.abs().sqrt();
      });
}
constexpr auto total = [](auto x) { return ex::sum(x); };
template <int N>
void sum(benchmark::State& state) {
  auto const x = numbers<float>(N);
  compare<float>(
      state, 1, [&](float* out) { ex::jit(total).into(ex::view<float>(out), ex::view<float const, N>(x.data())); },
      [&](float* out) { *out = const_row(x.data(), N).sum(); });
}
constexpr int rows = 64;
constexpr auto softmax = [](auto x) { return ex::nn::softmax(x, ex::axis<1>); };
template <int N>
void softmax_rows(benchmark::State& state) {
  auto const x = numbers<float>(rows * N);
  compare<float>(
      state, rows * N,
      [&](float* out) { ex::jit(softmax).into(ex::view<float, rows, N>(out), ex::view<float const, rows, N>(x.data())); },
      [&](float* out) {
        for (int i = 0; i < rows; ++i) {
          const_row const v(x.data() + i * N, N);
          row to(out + i * N, N);
          to = (v - v.maxCoeff()).exp();
          to *= 1 / to.sum();
        }
      });
}

void add(char const* name, int n, void (*f)(benchmark::State&)) {
  benchmark::RegisterBenchmark((std::string(name) + "/" + std::to_string(n)).c_str(), f)->UseManualTime()->Iterations(n >= 1'000'000 ? 21 : 61);
}
template <int... N>
void add_products() {
  (add("product f32", N, product<float, N>), ...);
  (add("product f64", N, product<double, N>), ...);
}
template <int... N>
void add_vectors() {
  (add("elementwise", N, elementwise<N>), ...);
  (add("sum", N, sum<N>), ...);
}
template <int... N>
void add_rows() {
  (add("softmax of 64 rows", N, softmax_rows<N>), ...);
}

}  // namespace

int main(int argc, char** argv) {
  add_products<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 30, 31, 32, 33, 34, 36, 40, 44, 48, 52, 56, 60, 63, 64, 65,
               72, 80, 88, 96, 100, 104, 112, 120, 127, 128, 129, 130, 192, 256, 384, 512, 768, 1024>();
  add_vectors<10, 30, 100, 300, 1'000, 3'000, 10'000, 30'000, 100'000, 300'000, 1'000'000, 3'000'000, 10'000'000>();
  add_rows<8, 16, 33, 64, 100, 256, 1'000, 2'048, 10'000, 50'000>();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
