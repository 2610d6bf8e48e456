// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: vjp: the tree, dtypes and shapes of the argument must be those of the result of the function
// rejects: exprax::expr<float, 2>
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  auto [y, pull] = ex::vjp([](auto x) { return ex::sin(x); }, ex::array<float, 3>());
  pull(ex::array<float, 2>());
}
