// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: grad: the function cannot be called with these arguments
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::grad([](auto x) { return ex::sum(x); })(ex::array<float, 3>(), ex::array<float, 3>());
}
