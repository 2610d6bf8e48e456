// SPDX-License-Identifier: BSL-1.0
// Products of int8 that are summed as int32, as in quantized networks, against Eigen on converted matrices and plain loops. By rows: the second
// matrix holds the columns as rows, as weights are stored. Quotients of integers, and the largest of the integers of each row, against
// plain loops.
#include <algorithm>
#include <cstdint>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "results.hpp"

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

template <class T, int... Dims>
ex::array<T, Dims...> integers(unsigned bits) {
  ex::array<T, Dims...> x;
  for (T& e : x) bits = bits * 1664525u + 1013904223u, e = static_cast<T>(bits >> 5);
  return x;
}
constexpr auto quotient = [](auto x, auto y) { return ex::lax::div(x, y); };
template <class T>
void quotients(benchmark::State& state) {
  auto const x = integers<T, 4096>(1);
  auto y = integers<T, 4096>(2);
  for (T& e : y) e = static_cast<T>(e % 100 == 0 || e == static_cast<T>(-1) ? 7 : e % 100);
  bench::compare_results(
      state, x, x, x, {0, 0}, [&](auto& ours) { ex::jit(quotient).into(ours, x, y); },
      [&](auto& peer) {
        for (int i = 0; i < 4096; ++i) peer.data()[i] = static_cast<T>(x.data()[i] / y.data()[i]);
      });
}
EXPRAX_COMPARE(quotients<std::uint8_t>);
EXPRAX_COMPARE(quotients<std::int16_t>);
EXPRAX_COMPARE(quotients<std::int32_t>);
EXPRAX_COMPARE(quotients<std::uint32_t>);

constexpr auto largest = [](auto x) { return ex::max(x, ex::axis<1>); };
template <class T, int N>
void largest_of_rows(benchmark::State& state) {
  auto const x = integers<T, 512, N>(1);
  auto const y = ex::jit(largest)(x);
  bench::compare_results(
      state, x, y, y, {0, 0}, [&](auto& ours) { ex::jit(largest).into(ours, x); },
      [&](auto& peer) {
        for (int i = 0; i < 512; ++i) {
          T most = x.data()[i * N];
          for (int j = 1; j < N; ++j) most = std::max(most, x.data()[i * N + j]);
          peer.data()[i] = most;
        }
      });
}
EXPRAX_COMPARE(largest_of_rows<std::uint8_t, 8>);
EXPRAX_COMPARE(largest_of_rows<std::uint8_t, 16>);
EXPRAX_COMPARE(largest_of_rows<std::int16_t, 8>);
EXPRAX_COMPARE(largest_of_rows<std::int32_t, 8>);
EXPRAX_COMPARE(largest_of_rows<std::int32_t, 12>);

}  // namespace
