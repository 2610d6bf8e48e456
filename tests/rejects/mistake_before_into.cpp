// SPDX-License-Identifier: BSL-1.0
// A mistake of C++ in the function is told once, and into says nothing of its results.
// rejects: no matching function for call to .*resize
// without: cannot run while compiling
// without: into: the number
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto first = [](auto c) { return ex::resize(c, 2); };

int main() {
  ex::array<float, 1> out;
  ex::jit(first).into(out, ex::array<float, 3>());
}
