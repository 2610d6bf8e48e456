// SPDX-License-Identifier: BSL-1.0
// rejects: v = w: w has another dtype or shape than v, whose type stays: write auto u = w. A C\+\+ number as the carry
// within: 12 3
// lines: 30
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto running = [](auto x) {
  return ex::scan([](auto s, auto r) {
    s = s * r;
    return ex::tuple(s, s);
  }, 1.0f, x);
};

int main() { (void)ex::jit(running)(ex::array<float, 3>()); }
