// SPDX-License-Identifier: BSL-1.0
// rejects: (no match for .*operator|does not provide a subscript operator)
// without: cannot run while compiling
// without: into: the number
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto first = [](auto c) { return c[0] + 1.0f; };

int main() {
  ex::array<float, 1> out;
  ex::jit(first).into(out, ex::array<float, 3>());
}
