// SPDX-License-Identifier: BSL-1.0
// rejects: the trace is longer than the compiler's limit .*-fconstexpr-steps=<n>, g\+\+: -fconstexpr-ops-limit=<n>
// lines: 80
// flags Clang: -fconstexpr-steps=100000
// flags GNU: -fconstexpr-ops-limit=300000
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x) {
    for (int i = 0; i < 2000; ++i) x = x * 2;
    return x;
  })(ex::array<float, 3>());
}
