// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: while_loop: body_fun cannot be called with the carry alone
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x) { return ex::while_loop([](auto c) { return ex::any(c < 3); }, [](auto c, auto) { return c; }, x); })(ex::array<float, 3>());
}
