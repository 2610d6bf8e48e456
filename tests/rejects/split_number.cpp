// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: split: sizes are part of types: write ex::split<3>
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x) { return ex::split(x, 3); })(ex::array<float, 3>());
}
