// SPDX-License-Identifier: BSL-1.0
// rejects: this callable has state: a lambda captures values
// rejects: Pass them as arguments
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  float scale = 3;
  auto scaled = [scale](auto x) { return x * scale; };
  (void)ex::jit(scaled)(ex::array<float, 3>());
}
