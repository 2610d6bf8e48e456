// SPDX-License-Identifier: BSL-1.0
// A mistake of C++ in the function is told once, and nothing follows from it.
// rejects: no matching function for call to .*top_k
// without: cannot run while compiling
// without: exprax::detail::run
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto largest = [](auto x) {
  auto [values, indices] = ex::top_k(x, 2);
  return values;
};

int main() { (void)ex::jit(largest)(ex::array<float, 3>()); }
