// SPDX-License-Identifier: BSL-1.0
// compare(state, ours, peers...): times the candidates in turn, many rounds in one run, so that all meet the same machine.
// Reported: the median of ours, of the best peer, and peer / ours (above 1: ours is faster).
#pragma once

#include <algorithm>
#include <chrono>
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

template <class Ours, class... Peers>
void compare(benchmark::State& state, Ours ours, Peers... peers) {
  constexpr int n = sizeof...(Peers);
  int const our_calls = calls_for(ours);
  int const peer_calls[n] = {calls_for(peers)...};
  std::vector<double> our_times, peer_times[n];
  for ([[maybe_unused]] auto round : state) {
    double const t = seconds(ours, our_calls) / our_calls;
    our_times.push_back(t);
    int k = 0;
    ((peer_times[k].push_back(seconds(peers, peer_calls[k]) / peer_calls[k]), ++k), ...);
    state.SetIterationTime(t);
  }
  double best = median(peer_times[0]);
  for (auto const& times : peer_times) best = std::min(best, median(times));
  double const own = median(our_times);
  state.counters["ours_ns"] = own * 1e9;
  state.counters["peer_ns"] = best * 1e9;
  state.counters["peer/ours"] = best / own;
}

}  // namespace bench

// A row of the table: 201 rounds of everything.
#define EXPRAX_COMPARE(...) BENCHMARK(__VA_ARGS__)->UseManualTime()->Iterations(201)->Unit(benchmark::kNanosecond)
