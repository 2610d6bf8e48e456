// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: cond branch outputs must have the same pytree structure
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto p, auto x) {
    return ex::cond(p, [](auto y) { (void)(y + 1); }, [](auto y) { return y; }, x);
  })(ex::array<bool>(), ex::array<float, 3>());
}
