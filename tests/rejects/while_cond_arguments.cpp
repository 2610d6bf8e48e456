// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: while_loop: cond_fun cannot be called with the carry alone
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x) { return ex::while_loop([] { return true; }, [](auto c) { return c; }, x); })(ex::array<float, 3>());
}
