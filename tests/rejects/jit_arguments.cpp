// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: this function cannot be called with these arguments.*it takes another number
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x, auto y) { return x + y; })(ex::array<float, 3>());
}
