// SPDX-License-Identifier: BSL-1.0
// One kernel over many sizes, for plots (plots.py): square products, f32 and f64, against Eigen with sizes known to the compiler, against
// OpenBLAS by one thread, and beside as many fused multiply-adds in registers, which nothing exceeds; an elementwise chain, softmax of rows,
// and a sum, against Eigen's arrays.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "compare.hpp"

#if EXPRAX_BENCH_OPENBLAS
#include <cblas.h>
extern "C" void openblas_set_num_threads(int);
#endif

namespace ex = exprax;

namespace {

template <class T>
std::vector<T> numbers(std::ptrdiff_t n) {
  std::vector<T> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<T>(i % 100'003) * T(1.37));
  return x;
}
// Peers by name: each f(out), with results of its own.
template <class T, class Ours, class... Peers>
void compare(benchmark::State& state, std::ptrdiff_t n, Ours ours, std::pair<char const*, Peers>... peers) {
  std::vector<T> expected(static_cast<std::size_t>(n)), found(expected.size());
  auto const candidate = [](auto const& f, std::vector<T>& to) { return [&] { f(to.data()), bench::touch(to.data()); }; };
  auto const times = bench::medians<-1>(state, candidate(ours, expected), candidate(peers.second, found)...);
  double const best = *std::min_element(times.begin() + 1, times.end());
  state.counters["ours_ns"] = times[0] * 1e9;
  state.counters["peer_ns"] = best * 1e9;
  state.counters["peer/ours"] = best / times[0];
  int k = 1;
  ((state.counters[std::string(peers.first) + "_ns"] = times[static_cast<std::size_t>(k++)] * 1e9), ...);
  auto const agrees = [&](auto const& peer) {
    peer(found.data());
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!(std::abs(expected[i] - found[i]) <= T(1e-3) * (1 + std::abs(found[i])))) return false;
    return true;
  };
  if (!(agrees(peers.second) && ...)) state.SkipWithError("the results differ");
}

constexpr auto dot = [](auto a, auto b) { return ex::dot(a, b); };
template <class T, int N>
void product(benchmark::State& state) {
  constexpr int fixed = N <= 130 ? N : Eigen::Dynamic;
  using matrix = Eigen::Matrix<T, fixed, fixed, Eigen::RowMajor>;
  auto const x = numbers<T>(2 * N * N);
  T const *const a = x.data(), *const b = a + N * N;
  auto const ours = [=](T* out) {
    ex::view<T, N, N> to(out);
    ex::jit(dot).into(to, ex::view<T const, N, N>(a), ex::view<T const, N, N>(b));
  };
  std::pair const eigen("Eigen", [=](T* out) {
    Eigen::Map<matrix>(out, N, N).noalias() = Eigen::Map<matrix const>(a, N, N) * Eigen::Map<matrix const>(b, N, N);
  });
#if EXPRAX_BENCH_OPENBLAS
  openblas_set_num_threads(1);
  std::pair const openblas("OpenBLAS", [=](T* out) {
    constexpr auto order = CblasRowMajor;
    constexpr auto plain = CblasNoTrans;
    if constexpr (sizeof(T) == 4) cblas_sgemm(order, plain, plain, N, N, N, 1.0f, a, N, b, N, 0.0f, out, N);
    else cblas_dgemm(order, plain, plain, N, N, N, 1.0, a, N, b, N, 0.0, out, N);
  });
  compare<T>(state, N * N, ours, eigen, openblas);
#else
  compare<T>(state, N * N, ours, eigen);
#endif
}
#if defined(__FMA__) || defined(__aarch64__)
#define EXPRAX_BENCH_LIMIT 1
// GFLOP/s of fused multiply-adds in registers.
template <class T>
void limit(benchmark::State& state) {
  constexpr int bytes = ex::simd::register_bytes, registers = ex::this_target.registers - 4, calls = 10'000;
  using vector = ex::simd::detail::vec<T, bytes>;
  auto const run = [] {
    []<int... I>(std::integer_sequence<int, I...>) {
      vector const half = vector{} + T(0.5);
      vector sums[] = {vector{} + T(I)...};
      for (int i = 0; i < calls; ++i) ((sums[I] = ex::simd::detail::fma_register<T, bytes>(sums[I], half, half)), ...);
      vector const all = (sums[I] + ...);
      bench::touch(&all);
    }(std::make_integer_sequence<int, registers>{});
  };
  double const time = bench::medians<-1>(state, run)[0];
  state.counters["GFLOP/s"] = 2.0 * registers * calls * (bytes / static_cast<int>(sizeof(T))) / time * 1e-9;
}
#endif

using row = Eigen::Map<Eigen::ArrayXf>;
using const_row = Eigen::Map<Eigen::ArrayXf const>;

constexpr auto chain = [](auto x) { return ex::exp(-x * x) * (x + 0.5f) + ex::sqrt(ex::abs(x)); };
template <int N>
void elementwise(benchmark::State& state) {
  auto const x = numbers<float>(N);
  compare<float>(
      state, N, [&](float* out) { ex::jit(chain).into(ex::view<float, N>(out), ex::view<float const, N>(x.data())); },
      std::pair("Eigen", [&](float* out) {
        const_row const v(x.data(), N);
        row(out, N) = (-v * v).exp() * (v + 0.5f) + v.abs().sqrt();
      }));
}
constexpr auto total = [](auto x) { return ex::sum(x); };
template <int N>
void sum(benchmark::State& state) {
  auto const x = numbers<float>(N);
  compare<float>(
      state, 1, [&](float* out) { ex::jit(total).into(ex::view<float>(out), ex::view<float const, N>(x.data())); },
      std::pair("Eigen", [&](float* out) { *out = const_row(x.data(), N).sum(); }));
}
constexpr int rows = 64;
constexpr auto softmax = [](auto x) { return ex::nn::softmax(x, ex::axis<1>); };
template <int N>
void softmax_rows(benchmark::State& state) {
  auto const x = numbers<float>(rows * N);
  compare<float>(
      state, rows * N,
      [&](float* out) { ex::jit(softmax).into(ex::view<float, rows, N>(out), ex::view<float const, rows, N>(x.data())); },
      std::pair("Eigen", [&](float* out) {
        for (int i = 0; i < rows; ++i) {
          const_row const v(x.data() + i * N, N);
          row to(out + i * N, N);
          to = (v - v.maxCoeff()).exp();
          to *= 1 / to.sum();
        }
      }));
}

void add(char const* name, int n, void (*f)(benchmark::State&)) {
  benchmark::RegisterBenchmark((std::string(name) + "/" + std::to_string(n)).c_str(), f)->UseManualTime()->Iterations(n >= 1'000'000 || (n >= 1'024 && name[0] == 'p') ? 11 : 61);
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
#if EXPRAX_BENCH_LIMIT
  add("limit f32", 1, limit<float>);
  add("limit f64", 1, limit<double>);
#endif
  add_products<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 30, 31, 32, 33, 34, 36, 40, 44, 48, 52, 56, 60, 63, 64, 65,
               72, 80, 88, 96, 100, 104, 112, 120, 127, 128, 129, 130, 192, 256, 384, 512, 768, 1'024, 2'048>();
  add_vectors<10, 30, 100, 300, 1'000, 3'000, 10'000, 30'000, 100'000, 300'000, 1'000'000, 3'000'000, 10'000'000>();
  add_rows<8, 16, 33, 64, 100, 256, 1'000, 2'048, 10'000, 50'000>();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
