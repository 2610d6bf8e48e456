// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: cond: false_fun cannot be called with the operands
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x) { return ex::cond(x(0) > 0, [](auto y) { return y; }, [] { return 1.0f; }, x); })(ex::array<float, 3>());
}
