// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: vmap: the function cannot be called with slices of these arguments
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::vmap([](auto x, auto y) { return x + y; })(ex::array<float, 3>());
}
