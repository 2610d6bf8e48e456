// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: fori_loop: body_fun cannot be called with \(index, carry\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](auto x) { return ex::fori_loop(0, 3, [](auto c) { return c; }, x); })(ex::array<float, 3>());
}
