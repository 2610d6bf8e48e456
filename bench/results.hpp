// SPDX-License-Identifier: BSL-1.0
// Candidates that write arrays of numbers: their inputs, and a comparison that also holds their results equal.
#pragma once

#include <cmath>
#include <cstddef>

#include "compare.hpp"

namespace bench {

template <class Floats>
Floats numbers(int n, float step) {
  Floats x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = std::sin(static_cast<float>(i % 65521) * step);
  return x;
}

// How far a result may be from that of the peer: absolute + relative * its size.
struct tolerance {
  double absolute, relative;
};

// ours(out) and peer(out) read `in` and write their results. Arrays: anything with data() and size().
template <class In, class Out, class Ours, class Peer>
void compare_results(benchmark::State& state, In const& in, Out a, Out b, tolerance t, Ours ours, Peer peer) {
  compare(
      state,
      [&] {
        touch(in.data());
        ours(a);
        touch(a.data());
      },
      [&] {
        touch(in.data());
        peer(b);
        touch(b.data());
      });
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(a.size()); ++i) {
    double const of_ours = static_cast<double>(a.data()[i]), of_peer = static_cast<double>(b.data()[i]);
    if (!(std::abs(of_ours - of_peer) <= t.absolute + t.relative * std::abs(of_peer))) state.SkipWithError("the results differ");
  }
}

}  // namespace bench
