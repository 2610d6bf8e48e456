// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: scan: f cannot be called with \(carry, x\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x) { return ex::scan([](auto c) { return c; }, 0.0f, x); })(ex::array<float, 3>());
}
