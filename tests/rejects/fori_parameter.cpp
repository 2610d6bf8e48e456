// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: fori_loop: body_fun cannot be called with \(index, carry\).*auto
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::fori_loop(0, 3, [](int i, auto c) { return c + i; }, ex::array<float, 3>());
}
