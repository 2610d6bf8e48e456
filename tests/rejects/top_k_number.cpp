// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: top_k: sizes are part of types: write ex::top_k<3>
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x) { return ex::top_k(x, 2); })(ex::array<float, 3>());
}
