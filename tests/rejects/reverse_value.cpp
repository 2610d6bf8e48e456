// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: reverse is a tag: write ex::reverse
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::scan([](auto c, auto x) { return ex::tuple(c + x, c); }, 0.0f, ex::array<float, 3>(), ex::reverse(true));
}
