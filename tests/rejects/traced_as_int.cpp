// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: a traced value where a C\+\+ integer is needed
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x) {
    int n = ex::argmax(x);
    return x * n;
  })(ex::array<float, 3>());
}
