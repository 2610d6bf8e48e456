// SPDX-License-Identifier: BSL-1.0
// Products of int8 that are summed as int32, as in quantized networks, against Eigen on converted matrices and plain loops. By rows: the second
// matrix holds the columns as rows, as weights are stored.
#include <cstdint>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

using byte = std::int8_t;

constexpr auto product = [](auto a, auto b) { return ex::dot_general<int>(a, b, ex::contracting<ex::axis<1>, ex::axis<0>>); };
constexpr auto product_by_rows = [](auto a, auto b) { return ex::dot_general<int>(a, b, ex::contracting<ex::axis<1>, ex::axis<1>>); };

template <int M, int N, int K, bool ByRows>
[[gnu::noinline]] void by_loops(int* out, byte const* a, byte const* b) {
  for (int i = 0; i < M; ++i)
    if constexpr (ByRows) {
      for (int j = 0; j < N; ++j) {
        int sum = 0;
        for (int k = 0; k < K; ++k) sum += a[i * K + k] * b[j * K + k];
        out[i * N + j] = sum;
      }
    } else {
      for (int j = 0; j < N; ++j) out[i * N + j] = 0;
      for (int k = 0; k < K; ++k)
        for (int j = 0; j < N; ++j) out[i * N + j] += a[i * K + k] * b[k * N + j];
    }
}
template <int M, int N, int K, bool ByRows>
[[gnu::noinline]] void by_eigen(int* out, byte const* a, byte const* b) {
  using bytes = Eigen::Matrix<byte, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using words = Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  auto const x = Eigen::Map<bytes const>(a, M, K).template cast<int>();
  Eigen::Map<words> to(out, M, N);
  if constexpr (ByRows) to.noalias() = x * Eigen::Map<bytes const>(b, N, K).template cast<int>().transpose();
  else to.noalias() = x * Eigen::Map<bytes const>(b, K, N).template cast<int>();
}

template <int M, int N, int K, bool ByRows>
void bytes(benchmark::State& state) {
  constexpr int rows = ByRows ? N : K, columns = ByRows ? K : N;
  static auto a = ex::array<byte, M, K>::full(0);
  static auto b = ex::array<byte, rows, columns>::full(0);
  static auto ours = ex::array<int, M, N>::full(0), loops = ours, eigen = ours;
  for (int i = 0; i < M * K; ++i) a.data()[i] = static_cast<byte>(i * 73);
  for (int i = 0; i < N * K; ++i) b.data()[i] = static_cast<byte>(i * 41);
  bench::compare(
      state,
      [&] {
        bench::touch(a.data());
        if constexpr (ByRows) ex::jit(product_by_rows).into(ours, a, b);
        else ex::jit(product).into(ours, a, b);
        bench::touch(ours.data());
      },
      [&] {
        bench::touch(a.data());
        by_loops<M, N, K, ByRows>(loops.data(), a.data(), b.data());
        bench::touch(loops.data());
      },
      [&] {
        bench::touch(a.data());
        by_eigen<M, N, K, ByRows>(eigen.data(), a.data(), b.data());
        bench::touch(eigen.data());
      });
  if (!(ours == loops) || !(ours == eigen)) state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(bytes<16, 16, 16, false>);
EXPRAX_COMPARE(bytes<64, 64, 64, false>);
EXPRAX_COMPARE(bytes<100, 100, 100, false>);
EXPRAX_COMPARE(bytes<256, 256, 256, false>);
EXPRAX_COMPARE(bytes<1, 512, 512, false>);
EXPRAX_COMPARE(bytes<1, 512, 512, true>);
EXPRAX_COMPARE(bytes<8, 512, 512, true>);
EXPRAX_COMPARE(bytes<64, 64, 64, true>);
EXPRAX_COMPARE(bytes<256, 256, 256, true>);

}  // namespace
