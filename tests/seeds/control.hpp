// SPDX-License-Identifier: BSL-1.0
// Loops and branches: a C++ loop, which is unrolled, cond, while_loop, fori_loop and scan.
#pragma once

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace seeds {

inline constexpr auto unrolled = [](auto x) {
  for (int i = 0; i < 5; ++i) x = x + i;
  return x;
};
inline constexpr auto branch = [](auto state, auto operand) {
  return ex::cond(state, [](auto x) { return x + 1; }, [](auto x) { return x - 1; }, operand);
};
inline constexpr auto count = [](auto init) {
  return ex::while_loop([](auto x) { return x < 10; }, [](auto x) { return x + 1; }, init);
};
inline constexpr auto sum = [](auto start, auto stop, auto init) {
  return ex::fori_loop(start, stop, [](auto i, auto x) { return x + i; }, init);
};
inline constexpr auto doubled = [](auto xs) {
  auto const f = [](auto, auto x) { return ex::tuple(0, x * 2); };
  return ex::scan(f, 0, xs);
};

}  // namespace seeds
