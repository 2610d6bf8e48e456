// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: vmap: the function cannot be called .*a parameter is not auto
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::vmap([](float x) { return x * x; })(ex::array<float, 3>());
}
