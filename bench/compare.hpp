// SPDX-License-Identifier: BSL-1.0
// compare(state, ours, peers...): times the candidates in turn, many rounds in one run, so that all meet the same machine.
// Reported: the median of ours, of the best peer, and peer / ours (above 1: ours is faster).
// compare_lanes(state, ours, serial, hand...): ours, plain serial C++, and loops over SIMD packs by hand, of which the best counts.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <benchmark/benchmark.h>

namespace bench {

inline void touch(void const* p) { asm volatile("" : : "r"(p) : "memory"); }

template <class F>
double seconds(F& f, int calls) {
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

// Calls that fill about 50 microseconds, far above what reading the clock costs.
template <class F>
int calls_for(F& f) {
  int calls = 1;
  while (seconds(f, calls) < 50e-6 && calls < (1 << 24)) calls *= 2;
  return calls;
}

// instructions.py counts between these two.
[[gnu::noinline]] inline void count_begins() { asm volatile("" : : : "memory"); }
[[gnu::noinline]] inline void count_ends() { asm volatile("" : : : "memory"); }
// The time of a second call: the first pays what is paid once.
template <class F>
double once(F& f) {
  f();
  auto counted = [&] { count_begins(), f(), count_ends(); };
  return seconds(counted, 1);
}

// The median time of a call of each candidate, in seconds. Candidate number `Slow` is called in one round of eight.
template <int Slow, class... Candidates>
std::array<double, sizeof...(Candidates)> medians(benchmark::State& state, Candidates... candidates) {
  constexpr int n = sizeof...(Candidates);
  if (std::getenv("EXPRAX_BENCH_COUNTED") != nullptr) {
    std::array<double, n> const times{once(candidates)...};
    for ([[maybe_unused]] auto round : state) state.SetIterationTime(std::accumulate(times.begin(), times.end(), 0.0));
    return times;
  }
  int const calls[n] = {calls_for(candidates)...};
  // Nothing else is allocated between the calls: what a candidate frees is there for its next call.
  std::vector<double> times[n];
  for (auto& t : times) t.reserve(static_cast<std::size_t>(state.max_iterations));
  int rounds = 0;
  for ([[maybe_unused]] auto round : state) {
    int k = 0;
    ((k == Slow && rounds % 8 != 0 ? void() : times[k].push_back(seconds(candidates, calls[k]) / calls[k]), ++k), ...);
    state.SetIterationTime(times[0].back());
    ++rounds;
  }
  std::array<double, n> r;
  for (int k = 0; k < n; ++k) r[k] = median(times[k]);
  return r;
}

template <class Ours, class... Peers>
void compare(benchmark::State& state, Ours ours, Peers... peers) {
  auto const times = medians<-1>(state, ours, peers...);
  double const best = *std::min_element(times.begin() + 1, times.end());
  state.counters["ours_ns"] = times[0] * 1e9;
  state.counters["peer_ns"] = best * 1e9;
  state.counters["peer/ours"] = best / times[0];
}
template <class Ours, class Serial, class... Hand>
void compare_lanes(benchmark::State& state, Ours ours, Serial serial, Hand... hand) {
  auto const times = medians<1>(state, ours, serial, hand...);
  double const best = *std::min_element(times.begin() + 2, times.end());
  state.counters["ours_ns"] = times[0] * 1e9;
  state.counters["serial_ns"] = times[1] * 1e9;
  state.counters["hand_ns"] = best * 1e9;
  state.counters["hand/ours"] = best / times[0];
  state.counters["serial/ours"] = times[1] / times[0];
}

}  // namespace bench

// A row of the table: 201 rounds of everything, or 41 where a call takes milliseconds.
#define EXPRAX_COMPARE(...) BENCHMARK(__VA_ARGS__)->UseManualTime()->Iterations(201)->Unit(benchmark::kNanosecond)
#define EXPRAX_COMPARE_SLOW(...) BENCHMARK(__VA_ARGS__)->UseManualTime()->Iterations(41)->Unit(benchmark::kNanosecond)
