// SPDX-License-Identifier: BSL-1.0
// A convolution of vectors, and the same written out over a batch.
#pragma once

#include <array>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace seeds {

inline constexpr auto convolve = [](auto x, auto w) {
  constexpr int n = decltype(x)::extent(0);
  std::array<ex::expr<float>, n - 2> out;
  for (int i = 1; i < n - 1; ++i) out[i - 1] = ex::dot(ex::dynamic_slice<3>(x, i - 1), w);
  return ex::stack(out);
};
// The same with the sums written out over the batch.
inline constexpr auto vectorized_by_hand = [](auto xs, auto ws) {
  constexpr int n = decltype(xs)::extent(1);
  std::array<ex::expr<float, 2>, n - 2> out;
  for (int i = 1; i < n - 1; ++i) out[i - 1] = ex::sum(ex::dynamic_slice<2, 3>(xs, 0, i - 1) * ws, ex::axis<1>);
  return ex::stack(out, ex::axis<1>);
};

}  // namespace seeds
