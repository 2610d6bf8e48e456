// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: zeros: sizes are part of types: write ex::zeros<2, 3>
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x) { return x + ex::zeros(3); })(ex::array<float, 3>());
}
