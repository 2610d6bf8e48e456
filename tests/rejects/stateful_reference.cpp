// SPDX-License-Identifier: BSL-1.0
// rejects: this callable has state: a lambda captures values \(or begins with .*\)
// without: deleted
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  auto doubled = [&](auto x) { return x + x; };
  (void)ex::jit(doubled)(ex::array<float, 3>());
}
