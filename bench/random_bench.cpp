// SPDX-License-Identifier: BSL-1.0
// A million random numbers, 32 bits each and normal: beside std::mt19937 with std::normal_distribution, and beside Threefry-2x32
// written by hand with xsimd. Both Threefry give the same numbers; items/s counts numbers.
#include <random>

#include <benchmark/benchmark.h>
#include <xsimd/xsimd.hpp>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr int n = 1'000'000;
using words = ex::array<std::uint32_t, n>;
using floats = ex::array<float, n>;
using batch = xsimd::batch<std::uint32_t>;

constexpr auto bits = [](auto key) { return ex::random::bits<n>(key); };
constexpr auto older_bits = [](auto key) { return ex::random::bits<n>(key, ex::random::non_partitionable); };
constexpr auto uniform = [](auto key) { return ex::random::uniform<n>(key); };
constexpr auto normal = [](auto key) { return ex::random::normal<n>(key); };

template <int R>
batch rotated(batch x) {
  return (x << R) | (x >> (32 - R));
}
template <int R>
void mix(batch& x, batch& y) {
  x += y;
  y = rotated<R>(y) ^ x;
}
// The words of JAX's partitionable mode: both halves of the block of (0, i), by exclusive or.
void by_hand(std::uint32_t k0, std::uint32_t k1, std::uint32_t* to) {
  constexpr int lanes = static_cast<int>(batch::size);
  std::uint32_t const k2 = k0 ^ k1 ^ 0x1bd11bdau;
  std::uint32_t first[lanes];
  for (int i = 0; i < lanes; ++i) first[i] = static_cast<std::uint32_t>(i);
  batch i = batch::load_unaligned(first);
  for (int at = 0; at < n; at += lanes, i += batch(std::uint32_t{lanes})) {
    batch x(k0), y = i + batch(k1);
    mix<13>(x, y), mix<15>(x, y), mix<26>(x, y), mix<6>(x, y), x += batch(k1), y += batch(k2 + 1);
    mix<17>(x, y), mix<29>(x, y), mix<16>(x, y), mix<24>(x, y), x += batch(k2), y += batch(k0 + 2);
    mix<13>(x, y), mix<15>(x, y), mix<26>(x, y), mix<6>(x, y), x += batch(k0), y += batch(k1 + 3);
    mix<17>(x, y), mix<29>(x, y), mix<16>(x, y), mix<24>(x, y), x += batch(k1), y += batch(k2 + 4);
    mix<13>(x, y), mix<15>(x, y), mix<26>(x, y), mix<6>(x, y), x += batch(k2), y += batch(k0 + 5);
    (x ^ y).store_unaligned(to + at);
  }
}

template <class F, class Out>
void run(benchmark::State& state, F const& f, Out& out) {
  auto key = ex::random::key(42);
  for (auto _ : state) {
    benchmark::DoNotOptimize(key.data());
    ex::jit(f).into(out, key);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * n);
}

void bits_of_threefry(benchmark::State& state) {
  words out;
  run(state, bits, out);
  words expected;
  by_hand(0, 42, expected.data());
  if (!(out == expected)) state.SkipWithError("the numbers differ");
}
void bits_of_threefry_older(benchmark::State& state) {
  words out;
  run(state, older_bits, out);
}
void bits_by_hand(benchmark::State& state) {
  words out;
  std::uint32_t key[] = {0, 42};
  for (auto _ : state) {
    benchmark::DoNotOptimize(key);
    by_hand(key[0], key[1], out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * n);
}
void bits_of_mt19937(benchmark::State& state) {
  words out;
  std::mt19937 generator(42);
  for (auto _ : state) {
    for (auto& x : out) x = static_cast<std::uint32_t>(generator());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * n);
}
void uniform_of_threefry(benchmark::State& state) {
  floats out;
  run(state, uniform, out);
}
void normal_of_threefry(benchmark::State& state) {
  floats out;
  run(state, normal, out);
}
void normal_of_mt19937(benchmark::State& state) {
  floats out;
  std::mt19937 generator(42);
  std::normal_distribution<float> distribution;
  for (auto _ : state) {
    for (auto& x : out) x = distribution(generator);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * n);
}

BENCHMARK(bits_of_threefry);
BENCHMARK(bits_of_threefry_older);
BENCHMARK(bits_by_hand);
BENCHMARK(bits_of_mt19937);
BENCHMARK(uniform_of_threefry);
BENCHMARK(normal_of_threefry);
BENCHMARK(normal_of_mt19937);

}  // namespace
