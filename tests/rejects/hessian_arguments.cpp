// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: jacobian: the function cannot be called with these arguments
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::hessian([](auto x, auto y) { return ex::sum(x * y); })(ex::array<float, 3>());
}
