// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: this callable is a pointer.*a lambda
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

ex::array<float, 3> twice(ex::array<float, 3> const& x) { return x + x; }

int main() {
  (void)ex::jit(&twice)(ex::array<float, 3>());
}
