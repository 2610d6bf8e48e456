// SPDX-License-Identifier: BSL-1.0
// A large layer, relu(w @ x + b) with w[1000, 10000] and x[10000, 20000], by one and by two threads, against OpenBLAS and one sweep over its
// result. The threads of two libraries wait in one program: with g++ run it with OMP_WAIT_POLICY=passive, or they wait on each other.
#include <exprax/exprax.hpp>

#include <cblas.h>

#include "compare.hpp"

extern "C" void openblas_set_num_threads(int);

namespace ex = exprax;

namespace {

constexpr int rows = 1'000, terms = 10'000, columns = 20'000;

template <class T, int... D>
ex::array<T, D...> filled() {
  auto a = ex::array<T, D...>::full(0);
  T v = T(0.1);
  for (T& to : a) to = v - T(0.5), v = v > 1 ? v - T(0.99) : v + T(0.17);
  return a;
}

constexpr auto layer = [](auto w, auto x, auto b) { return ex::nn::relu(ex::dot(w, x) + b(ex::ellipsis, ex::newaxis)); };

template <int Threads>
void large_layer(benchmark::State& state) {
  static auto const w = filled<float, rows, terms>();
  static auto const x = filled<float, terms, columns>();
  static auto const b = filled<float, rows>();
  static auto result = ex::jit(layer)(w, x, b);
  static auto of_blas = filled<float, rows, columns>();
  ex::num_threads(Threads);
  openblas_set_num_threads(Threads);
  bench::compare(
      state,
      [] {
        ex::jit(layer).into(result, w, x, b);
        bench::touch(result.data());
      },
      [] {
        float* const c = of_blas.data();
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, terms, 1, w.data(), terms, x.data(), columns, 0, c, columns);
        for (std::ptrdiff_t i = 0; i < rows; ++i) {
          for (std::ptrdiff_t j = i * columns; j < (i + 1) * columns; ++j) c[j] = std::max(c[j] + b.data()[i], 0.0f);
        }
        bench::touch(c);
      });
  ex::num_threads(0);
  state.counters["GFLOP/s"] = 2.0 * rows * terms * columns / state.counters["ours_ns"];
}
BENCHMARK(large_layer<1>)->UseManualTime()->Iterations(5);
BENCHMARK(large_layer<2>)->UseManualTime()->Iterations(5);

}  // namespace
