// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: reshape: sizes are part of types: write ex::reshape<2, 3>
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x) { return ex::reshape(x, 3, 1); })(ex::array<float, 3>());
}
