// SPDX-License-Identifier: BSL-1.0
// Ordering floats beside the standard library: sort beside std::sort, argsort beside std::stable_sort of pairs of a key and an
// index, top_k beside std::partial_sort of such pairs; 1,024 rows of 8 and of 16; and the 4 largest of 256 rows of 64, beside an
// insertion into 4. Inputs take turns, so that no branch predictor learns them.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wdeprecated-declarations"  // libstdc++ 12's std::stable_sort asks for a temporary buffer
#endif
#include <cstring>
#include <random>
#include <utility>

#include <exprax/exprax.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

constexpr int inputs = 32;

template <int... D>
std::vector<ex::array<float, D...>> random_inputs() {
  std::vector<ex::array<float, D...>> r(inputs);
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  for (auto& x : r)
    for (auto& v : x) v = normal(random);
  return r;
}

constexpr auto sorted = [](auto x) { return ex::sort(x); };
constexpr auto order = [](auto x) { return ex::argsort(x); };
constexpr auto best = [](auto x) { return ex::top_k<8>(x); };

template <int N>
using pairs = std::array<std::pair<float, int>, N>;
template <int N>
void number(pairs<N>& p, float const* x) {
  for (int i = 0; i < N; ++i) p[static_cast<std::size_t>(i)] = {x[i], i};
}
constexpr auto less = [](auto const& a, auto const& b) { return a.first < b.first; };
constexpr auto greater = [](auto const& a, auto const& b) { return a.first > b.first; };

template <int N>
void sorts(benchmark::State& state) {
  auto const x = random_inputs<N>();
  ex::array<float, N> out, plain;
  int i = 0, j = 0;
  auto const f = ex::jit(sorted);
  bench::compare(state, [&] { f.into(out, x[static_cast<std::size_t>(i++ % inputs)]), bench::touch(out.data()); },
                 [&] {
                   std::memcpy(plain.data(), x[static_cast<std::size_t>(j++ % inputs)].data(), N * sizeof(float));
                   std::sort(plain.data(), plain.data() + N);
                   bench::touch(plain.data());
                 });
}
template <int N>
void argsorts(benchmark::State& state) {
  auto const x = random_inputs<N>();
  ex::array<std::int32_t, N> out;
  pairs<N> p;
  int i = 0, j = 0;
  auto const f = ex::jit(order);
  bench::compare(state, [&] { f.into(out, x[static_cast<std::size_t>(i++ % inputs)]), bench::touch(out.data()); },
                 [&] {
                   number<N>(p, x[static_cast<std::size_t>(j++ % inputs)].data());
                   std::stable_sort(p.begin(), p.end(), less);
                   bench::touch(p.data());
                 });
}
template <int N>
void top_8(benchmark::State& state) {
  auto const x = random_inputs<N>();
  std::tuple<ex::array<float, 8>, ex::array<std::int32_t, 8>> out;
  pairs<N> p;
  int i = 0, j = 0;
  auto const f = ex::jit(best);
  bench::compare(state, [&] { f.into(out, x[static_cast<std::size_t>(i++ % inputs)]), bench::touch(&out); },
                 [&] {
                   number<N>(p, x[static_cast<std::size_t>(j++ % inputs)].data());
                   std::partial_sort(p.begin(), p.begin() + 8, p.end(), greater);
                   bench::touch(p.data());
                 });
}
template <int N>
void rows(benchmark::State& state) {
  auto const x = random_inputs<1024, N>();
  ex::array<float, 1024, N> out, plain;
  int i = 0, j = 0;
  auto const f = ex::jit(ex::vmap(sorted));
  bench::compare(state, [&] { f.into(out, x[static_cast<std::size_t>(i++ % inputs)]), bench::touch(out.data()); },
                 [&] {
                   std::memcpy(plain.data(), x[static_cast<std::size_t>(j++ % inputs)].data(), 1024 * N * sizeof(float));
                   for (int row = 0; row < 1024; ++row) std::sort(plain.data() + row * N, plain.data() + (row + 1) * N);
                   bench::touch(plain.data());
                 });
}

constexpr auto best_of_rows = [](auto x) { return ex::get<0>(ex::lax::top_k<4>(x)); };
void top_4_of_rows(benchmark::State& state) {
  constexpr int n = 64;
  auto const x = random_inputs<256, n>();
  ex::array<float, 256, 4> out, plain;
  int i = 0, j = 0;
  auto const f = ex::jit(best_of_rows);
  bench::compare(state, [&] { f.into(out, x[static_cast<std::size_t>(i++ % inputs)]), bench::touch(out.data()); },
                 [&] {
                   float const* in = x[static_cast<std::size_t>(j++ % inputs)].data();
                   for (int row = 0; row < 256; ++row) {
                     float most[4] = {-1e30f, -1e30f, -1e30f, -1e30f};
                     for (int c = 0; c < n; ++c) {
                       float const v = in[row * n + c];
                       if (v <= most[3]) continue;
                       int at = 3;
                       for (; at > 0 && most[at - 1] < v; --at) most[at] = most[at - 1];
                       most[at] = v;
                     }
                     std::memcpy(plain.data() + 4 * row, most, sizeof most);
                   }
                   bench::touch(plain.data());
                 });
}

}  // namespace

#define EACH_SIZE(f) \
  BENCHMARK(f<8>)->UseManualTime()->Iterations(200); \
  BENCHMARK(f<64>)->UseManualTime()->Iterations(200); \
  BENCHMARK(f<256>)->UseManualTime()->Iterations(200); \
  BENCHMARK(f<1024>)->UseManualTime()->Iterations(200);
EACH_SIZE(sorts)
EACH_SIZE(argsorts)
EACH_SIZE(top_8)
BENCHMARK(rows<8>)->UseManualTime()->Iterations(100);
BENCHMARK(rows<16>)->UseManualTime()->Iterations(100);
BENCHMARK(top_4_of_rows)->UseManualTime()->Iterations(100);
