// SPDX-License-Identifier: BSL-1.0
// compare_gradients<N>(state, x, ours, hand, value): a gradient of N numbers against that by hand (peer/ours), and against the value alone
// (of_value: how many values the gradient costs). The results are compared, too.
#pragma once

#include <cmath>

#include "compare.hpp"

namespace bench {

template <int N, class Ours, class Hand, class Value>
void compare_gradients(benchmark::State& state, double* x, Ours ours, Hand hand, Value value) {
  static double a[N], b[N], v;
  auto const times_of = medians<-1>(
      state,
      [&] {
        touch(x);
        ours(x, a);
        touch(a);
      },
      [&] {
        touch(x);
        hand(x, b);
        touch(b);
      },
      [&] {
        touch(x);
        v = value(x);
        touch(&v);
      });
  for (int i = 0; i < N; ++i)
    if (!(std::abs(a[i] - b[i]) <= 1e-9 * (1 + std::abs(b[i])))) return state.SkipWithError("the results differ");
  state.counters["ours_ns"] = times_of[0] * 1e9;
  state.counters["peer_ns"] = times_of[1] * 1e9;
  state.counters["peer/ours"] = times_of[1] / times_of[0];
  state.counters["of_value"] = times_of[0] / times_of[2];
}
template <int N>
double* numbers(double low, double high) {
  static double x[N];
  unsigned s = 1;
  for (double& e : x) {
    s = s * 1664525u + 1013904223u;
    e = low + (high - low) * (s >> 8) / 16777216.0;
  }
  return x;
}

}  // namespace bench
