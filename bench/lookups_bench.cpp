// SPDX-License-Identifier: BSL-1.0
// Searches, lookups in tables, interpolation, all pairs of two vectors, and bits in bytes. Beside plain loops.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <exprax/exprax.hpp>

#include "results.hpp"

namespace ex = exprax;

namespace {

constexpr int n = 4096;

// Numbers from 0 to below 1, in no order, and in order.
template <int N>
ex::array<float, N> unordered() {
  ex::array<float, N> x;
  std::uint64_t state = 12345;
  for (int i = 0; i < N; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x(i) = static_cast<float>(state >> 40) / 16777216.0f;
  }
  return x;
}
template <int N>
ex::array<float, N> in_order() {
  ex::array<float, N> x;
  for (int i = 0; i < N; ++i) x(i) = static_cast<float>(i) / N;
  return x;
}
template <int N, int Values>
ex::array<std::uint8_t, N> bytes() {
  auto const x = unordered<N>();
  ex::array<std::uint8_t, N> r;
  for (int i = 0; i < N; ++i) r(i) = static_cast<std::uint8_t>(x(i) * Values);
  return r;
}

// --- Searches ---

constexpr auto places = [](auto a, auto v) { return ex::searchsorted(a, v); };
template <int K>
void searchsorted(benchmark::State& state) {
  auto const a = in_order<K>();
  auto const v = unordered<n>();
  ex::array<int, n> const none{};
  bench::compare_results(
      state, v, none, none, {0, 0}, [&](auto& ours) { ex::jit(places).into(ours, a, v); },
      [&](auto& peer) {
        for (int i = 0; i < n; ++i) {  // without branches
          int first = 0;
          for (int left = K; left > 1;) {
            int const half = left / 2;
            first += a.data()[first + half - 1] < v.data()[i] ? half : 0;
            left -= half;
          }
          peer.data()[i] = first + (a.data()[first] < v.data()[i]);
        }
      });
}
EXPRAX_COMPARE(searchsorted<30>);
EXPRAX_COMPARE(searchsorted<256>);
EXPRAX_COMPARE(searchsorted<4000>);

constexpr auto bins = [](auto x, auto edges) { return ex::digitize(x, edges); };
void digitize(benchmark::State& state) {
  auto const edges = in_order<10>();
  auto const x = unordered<n>();
  ex::array<int, n> const none{};
  bench::compare_results(
      state, x, none, none, {0, 0}, [&](auto& ours) { ex::jit(bins).into(ours, x, edges); },
      [&](auto& peer) {
        for (int i = 0; i < n; ++i) {
          int before = 0;
          for (int k = 0; k < 10; ++k) before += edges.data()[k] <= x.data()[i];
          peer.data()[i] = before;
        }
      });
}
EXPRAX_COMPARE(digitize);

constexpr auto on_lines = [](auto x, auto xp, auto fp) { return ex::interp(x, xp, fp); };
template <int K>
void interp(benchmark::State& state) {
  auto const x = unordered<n>();
  auto const xp = in_order<K>(), fp = unordered<K>();
  bench::compare_results(
      state, x, x, x, {1e-5, 1e-5}, [&](auto& ours) { ex::jit(on_lines).into(ours, x, xp, fp); },
      [&](auto& peer) {
        for (int i = 0; i < n; ++i) {
          float const at = x.data()[i];
          int const k = std::clamp(static_cast<int>(std::upper_bound(xp.data(), xp.data() + K, at) - xp.data()), 1, K - 1);
          float const left = xp.data()[k - 1], low = fp.data()[k - 1];
          float const inside = low + (at - left) / (xp.data()[k] - left) * (fp.data()[k] - low);
          peer.data()[i] = at < xp.data()[0] ? fp.data()[0] : at > xp.data()[K - 1] ? fp.data()[K - 1] : inside;
        }
      });
}
EXPRAX_COMPARE(interp<16>);
EXPRAX_COMPARE(interp<256>);

// --- Tables ---

constexpr auto take = [](auto table, auto i) { return ex::take(table, i); };
template <class Table, int K>
void look_up(benchmark::State& state, Table const& table) {
  auto const i = bytes<n, K>();
  using T = typename Table::value_type;
  ex::array<T, n> const none{};
  bench::compare_results(
      state, i, none, none, {0, 0}, [&](auto& ours) { ex::jit(take).into(ours, table, i); },
      [&](auto& peer) {
        for (int k = 0; k < n; ++k) peer.data()[k] = table.data()[i.data()[k]];
      });
}
void codebook_of_16(benchmark::State& state) { look_up<ex::array<float, 16>, 16>(state, unordered<16>()); }
void table_of_256(benchmark::State& state) { look_up<ex::array<float, 256>, 256>(state, unordered<256>()); }
void bytes_of_bytes(benchmark::State& state) { look_up<ex::array<std::uint8_t, 256>, 256>(state, bytes<256, 256>()); }
EXPRAX_COMPARE(codebook_of_16);
EXPRAX_COMPARE(table_of_256);
EXPRAX_COMPARE(bytes_of_bytes);

// Straight lines between the elements of a table.
constexpr auto between_elements = [](auto table, auto x) {
  auto const y = x * 256.0f, low = ex::floor(y);
  auto const i = low.template astype<int>();
  auto const a = ex::take(table, i), b = ex::take(table, i + 1);
  return a + (y - low) * (b - a);
};
void lines_of_table(benchmark::State& state) {
  auto const table = unordered<257>();
  auto const x = unordered<n>();
  bench::compare_results(
      state, x, x, x, {1e-5, 1e-5}, [&](auto& ours) { ex::jit(between_elements).into(ours, table, x); },
      [&](auto& peer) {
        for (int k = 0; k < n; ++k) {
          float const y = x.data()[k] * 256.0f, low = std::floor(y);
          float const* const of = table.data() + static_cast<int>(low);
          peer.data()[k] = of[0] + (y - low) * (of[1] - of[0]);
        }
      });
}
EXPRAX_COMPARE(lines_of_table);

// --- All pairs of two vectors ---

constexpr auto least_squares = [](auto x, auto c) { return ex::min(ex::square(x(ex::all, ex::none) - c), ex::axis<1>); };
template <int K>
void nearest_value(benchmark::State& state) {
  auto const x = unordered<n>();
  auto const c = unordered<K>();
  bench::compare_results(
      state, x, x, x, {0, 1e-5}, [&](auto& ours) { ex::jit(least_squares).into(ours, x, c); },
      [&](auto& peer) {
        for (int i = 0; i < n; ++i) {
          float best = INFINITY;
          for (int k = 0; k < K; ++k) {
            float const d = x.data()[i] - c.data()[k];
            best = std::min(best, d * d);
          }
          peer.data()[i] = best;
        }
      });
}
EXPRAX_COMPARE(nearest_value<16>);
EXPRAX_COMPARE(nearest_value<100>);

constexpr auto sums_of_distances = [](auto x, auto c) { return ex::sum(ex::abs(x(ex::all, ex::none) - c), ex::axis<1>); };
template <int K>
void sums_of_pairs(benchmark::State& state) {
  auto const x = unordered<n>();
  auto const c = unordered<K>();
  bench::compare_results(
      state, x, x, x, {1e-4, 1e-4}, [&](auto& ours) { ex::jit(sums_of_distances).into(ours, x, c); },
      [&](auto& peer) {
        for (int i = 0; i < n; ++i) {
          float sum = 0;
          for (int k = 0; k < K; ++k) sum += std::abs(x.data()[i] - c.data()[k]);
          peer.data()[i] = sum;
        }
      });
}
EXPRAX_COMPARE(sums_of_pairs<16>);
EXPRAX_COMPARE(sums_of_pairs<100>);

// --- Bits in bytes ---

constexpr auto bytes_of_bits = [](auto x) { return ex::packbits(x != std::uint8_t(0)); };
void packbits(benchmark::State& state) {
  auto const x = bytes<n, 2>();
  ex::array<std::uint8_t, n / 8> const none{};
  bench::compare_results(
      state, x, none, none, {0, 0}, [&](auto& ours) { ex::jit(bytes_of_bits).into(ours, x); },
      [&](auto& peer) {
        for (int i = 0; i < n / 8; ++i) {
          int byte = 0;
          for (int k = 0; k < 8; ++k) byte |= (x.data()[8 * i + k] != 0) << (7 - k);
          peer.data()[i] = static_cast<std::uint8_t>(byte);
        }
      });
}
constexpr auto bits_of_bytes = [](auto x) { return ex::unpackbits(x); };
void unpackbits(benchmark::State& state) {
  auto const x = bytes<n / 8, 256>();
  ex::array<std::uint8_t, n> const none{};
  bench::compare_results(
      state, x, none, none, {0, 0}, [&](auto& ours) { ex::jit(bits_of_bytes).into(ours, x); },
      [&](auto& peer) {
        for (int i = 0; i < n / 8; ++i)
          for (int k = 0; k < 8; ++k) peer.data()[8 * i + k] = static_cast<std::uint8_t>(x.data()[i] >> (7 - k) & 1);
      });
}
EXPRAX_COMPARE(packbits);
EXPRAX_COMPARE(unpackbits);

}  // namespace
