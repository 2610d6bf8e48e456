// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: map: the function cannot be called with an element of xs
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::map([](auto x, auto y) { return x + y; }, ex::array<float, 3>());
}
