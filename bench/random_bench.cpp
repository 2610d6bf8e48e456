// SPDX-License-Identifier: BSL-1.0
// A million random numbers, 32 bits each and normal: beside std::mt19937 with std::normal_distribution, and beside Threefry-2x32
// written by hand with xsimd. Both Threefry give the same numbers; items/s counts numbers.
// And what an Asian option pays at the end of 16,384 paths of 64 dates, with a normal number at each: a scan that splits its key at each
// date, or goes along 64 keys. By hand: one and two packs of paths; serial: one path after the other. All draw the same numbers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <tuple>
#include <utility>

#include <exprax/exprax.hpp>

#include "hand.hpp"

namespace ex = exprax;

namespace {

constexpr int n = 1'000'000;
using words = ex::array<std::uint32_t, n>;
using numbers = ex::array<float, n>;
using batch = xsimd::batch<std::uint32_t>;

constexpr auto bits = [](auto key) { return ex::random::bits<n>(key); };
constexpr auto older_bits = [](auto key) { return ex::random::bits<n>(key, ex::random::non_partitionable); };
constexpr auto uniform = [](auto key) { return ex::random::uniform<n>(key); };
constexpr auto normal = [](auto key) { return ex::random::normal<n>(key); };

// Of words, or of packs of them.
template <int R, class W>
W rotated(W x) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<W, batch>) return _mm512_rol_epi32(x, R);
  else
#endif
    return (x << R) | (x >> (32 - R));
}
template <int... R, class W>
[[gnu::always_inline]] inline void mix(W& x, W& y) {
  ((x += y, y = rotated<R>(y) ^ x), ...);
}
// The block of counters (0, i) under a key.
template <class W>
[[gnu::always_inline]] inline std::pair<W, W> threefry(W k0, W k1, W i) {
  W const k2 = k0 ^ k1 ^ W(0x1bd11bdau);
  W x = k0, y = i + k1;
  mix<13, 15, 26, 6>(x, y), x += k1, y += k2 + W(1u);
  mix<17, 29, 16, 24>(x, y), x += k2, y += k0 + W(2u);
  mix<13, 15, 26, 6>(x, y), x += k0, y += k1 + W(3u);
  mix<17, 29, 16, 24>(x, y), x += k1, y += k2 + W(4u);
  mix<13, 15, 26, 6>(x, y), x += k2, y += k0 + W(5u);
  return {x, y};
}
// The words of JAX's partitionable mode: both halves of the block of (0, i), by exclusive or.
void by_hand(std::uint32_t k0, std::uint32_t k1, std::uint32_t* to) {
  constexpr int lanes = static_cast<int>(batch::size);
  std::uint32_t first[lanes];
  for (int i = 0; i < lanes; ++i) first[i] = static_cast<std::uint32_t>(i);
  batch i = batch::load_unaligned(first);
  for (int at = 0; at < n; at += lanes, i += batch(std::uint32_t{lanes})) {
    auto const [x, y] = threefry(batch(k0), batch(k1), i);
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
  numbers out;
  run(state, uniform, out);
}
void normal_of_threefry(benchmark::State& state) {
  numbers out;
  run(state, normal, out);
}
void normal_of_mt19937(benchmark::State& state) {
  numbers out;
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

// --- Paths of normal numbers ---

constexpr int paths = 16384, dates = 64;
constexpr float start = 100, strike = 100, drift = -0.5f * 0.04f / dates, volatility = 0.2f / 8;  // of one year
using keys_of_paths = ex::array<ex::prng_key, paths>;
using payoffs = ex::array<float, paths>;

constexpr auto next = [](auto price, auto key) { return price * ex::exp(drift + volatility * ex::random::normal<>(key)); };
constexpr auto payoff = [](auto total) { return ex::maximum(total * (1.0f / dates) - strike, 0.0f); };
constexpr auto splitting = [](auto key) {
  auto const date = [](auto carry, auto) {
    auto const [key, price, total] = carry;
    auto const keys = ex::random::split(key);
    auto const moved = next(price, keys(1));
    return ex::tuple(ex::tuple(keys(0), moved, total + moved), ex::tuple());
  };
  return payoff(ex::get<2>(ex::get<0>(ex::scan(date, ex::tuple(key, start, 0.0f), ex::length<dates>))));
};
constexpr auto along_keys = [](auto key) {
  auto const date = [](auto carry, auto key) {
    auto const [price, total] = carry;
    auto const moved = next(price, key);
    return ex::tuple(ex::tuple(moved, total + moved), ex::tuple());
  };
  return payoff(ex::get<1>(ex::get<0>(ex::scan(date, ex::tuple(start, 0.0f), ex::random::split<dates>(key)))));
};

using hand::floats;
// Of a number, or of packs.
inline float from_word(std::uint32_t w) { return std::bit_cast<float>(w); }
inline floats from_word(batch w) { return xsimd::bitwise_cast<floats>(w); }
inline float fused(float a, float b, float c) { return std::fma(a, b, c); }
inline floats fused(floats a, floats b, floats c) { return hand::fma(a, b, c); }
template <class F, class... C>
[[gnu::always_inline]] inline F polynomial(F x, float first, C... coefficients) {
  F p(first);
  ((p = fused(p, x, F(coefficients))), ...);
  return p;
}
// The factor of x in the inverse of erf (Giles, 2012).
template <class F>
[[gnu::always_inline]] inline F middle(F w) {
  return polynomial(w - F(2.5f), 2.81022636e-08f, 3.43273939e-07f, -3.5233877e-06f, -4.39150654e-06f, 0.00021858087f, -0.00125372503f,
                    -0.00417768164f, 0.246640727f, 1.50140941f);
}
template <class F>
[[gnu::always_inline]] inline F tail(F root) {
  return polynomial(root - F(3.0f), -0.000200214257f, 0.000100950558f, 0.00134934322f, -0.00367342844f, 0.00573950773f, -0.0076224613f,
                    0.00943887047f, 1.00167406f, 2.83297682f);
}
inline float log(float x) { return std::log(x); }
inline floats log(floats x) { return xsimd::log(x); }
inline float exp(float x) { return std::exp(x); }
inline floats exp(floats x) { return xsimd::exp(x); }
inline float factor(float w) { return w < 5 ? middle(w) : tail(std::sqrt(w)); }
[[gnu::always_inline]] inline floats factor(floats w) {
  auto const is_near = w < floats(5.0f);
  floats const p = middle(w);
  return xsimd::all(is_near) ? p : xsimd::select(is_near, p, tail(xsimd::sqrt(w)));
}
template <class F, class W>
[[gnu::always_inline]] inline F normal_of(W k0, W k1) {
  auto const [a, b] = threefry(k0, k1, W(0u));
  F const u = from_word(((a ^ b) >> 9) | W(0x3f800000u)) - F(1.0f);
  F const x = fused(u, F(2.0f), F(-0x1.fffffep-1f));
  return F(1.41421356f) * x * factor(-log(fused(-x, x, F(1.0f))));
}
// A date of several paths.
template <class F, int Packs, bool Splitting, class W>
[[gnu::always_inline]] inline void date_of(int t, W (&k0)[Packs], W (&k1)[Packs], F (&price)[Packs], F (&total)[Packs]) {
#pragma GCC unroll 8
  for (int p = 0; p < Packs; ++p) {
    auto const [s0, s1] = threefry(k0[p], k1[p], W(Splitting ? 1u : static_cast<std::uint32_t>(t)));
    if constexpr (Splitting) std::tie(k0[p], k1[p]) = threefry(k0[p], k1[p], W(0u));
    price[p] = price[p] * exp(fused(F(volatility), normal_of<F>(s0, s1), F(drift)));
    total[p] = total[p] + price[p];
  }
}
template <bool Splitting>
void paths_serial(payoffs& to, keys_of_paths const& keys) {
  for (int k = 0; k < paths; ++k) {
    std::uint32_t k0[] = {keys.data()[k].word(0)}, k1[] = {keys.data()[k].word(1)};
    float price[] = {start}, total[] = {0};
    for (int t = 0; t < dates; ++t) date_of<float, 1, Splitting>(t, k0, k1, price, total);
    to.data()[k] = std::max(total[0] * (1.0f / dates) - strike, 0.0f);
  }
}
template <int Packs, bool Splitting>
[[gnu::flatten]] void paths_by_hand(payoffs& to, keys_of_paths const& keys) {
  constexpr int lanes = static_cast<int>(batch::size);
  for (int at = 0; at < paths; at += Packs * lanes) {
    batch k0[Packs], k1[Packs];
    floats price[Packs], total[Packs];
    for (int p = 0; p < Packs; ++p) {
      std::uint32_t words[2][lanes];
      for (int i = 0; i < lanes; ++i)
        for (int w : {0, 1}) words[w][i] = keys.data()[at + p * lanes + i].word(w);
      k0[p] = batch::load_unaligned(words[0]), k1[p] = batch::load_unaligned(words[1]);
      price[p] = floats(start), total[p] = floats(0.0f);
    }
    for (int t = 0; t < dates; ++t) date_of<floats, Packs, Splitting>(t, k0, k1, price, total);
    for (int p = 0; p < Packs; ++p)
      xsimd::max(hand::fms(total[p], floats(1.0f / dates), floats(strike)), floats(0.0f)).store_unaligned(to.data() + at + p * lanes);
  }
}

template <auto const& F, bool Splitting>
void compare_paths(benchmark::State& state) {
  keys_of_paths const keys = ex::random::split<paths>(ex::random::key(42));
  payoffs out[4];
  auto const run = [&](auto f, int k) { return [f, &keys, &to = out[k]] { bench::call([&] { f(to, keys); }); }; };
  auto const exprax = [](payoffs& to, keys_of_paths const& from) { ex::jit(ex::vmap(F)).into(to, from); };
  bench::compare_lanes(state, run(exprax, 0), run(paths_serial<Splitting>, 1), run(paths_by_hand<1, Splitting>, 2),
                       run(paths_by_hand<2, Splitting>, 3));
  for (auto const& by_hand : out)
    if (bench::differences(out[0].data(), by_hand.data(), paths, 1e-4) != 0) state.SkipWithError("the payoffs differ");
}
void asian_splitting_16384x64(benchmark::State& state) { compare_paths<splitting, true>(state); }
void asian_along_keys_16384x64(benchmark::State& state) { compare_paths<along_keys, false>(state); }
EXPRAX_COMPARE_SLOW(asian_splitting_16384x64);
EXPRAX_COMPARE_SLOW(asian_along_keys_16384x64);

}  // namespace
