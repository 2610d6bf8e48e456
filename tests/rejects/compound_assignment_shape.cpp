// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: x \+= y: x \+ y has another dtype or shape than x
// without: do not broadcast
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x, auto y) {
    x += y;
    return x;
  })(ex::array<float, 3>(), ex::array<float, 3, 4>());
}
