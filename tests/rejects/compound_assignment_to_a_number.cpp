// SPDX-License-Identifier: BSL-1.0
// rejects: x is a C\+\+ number, and y a traced value, which has no value while tracing: begin with a traced x, as in ex::expr<float> x = 0.0f
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto total = [](auto x) {
  float s = 0;
  for (int i = 0; i < 3; ++i) s += x(i);
  return s;
};

int main() { (void)ex::jit(total)(ex::array<float, 3>()); }
