// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: vjp, linearize: the function cannot be called with the primals
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  auto const [y, derivative] = ex::vjp([](auto x, auto y) { return x * y; }, ex::array<float, 3>());
  (void)derivative(y);
}
