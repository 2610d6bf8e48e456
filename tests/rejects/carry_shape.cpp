// SPDX-License-Identifier: BSL-1.0
// rejects: v = w: w has another dtype or shape than v, whose type stays: write auto u = w
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto f = [](auto x) {
  auto s = ex::float32(0);
  s = s + x;
  return s;
};

int main() { (void)ex::jit(f)(ex::array<float, 3>()); }
