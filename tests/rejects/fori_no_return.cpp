// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: fori_loop body function carry input and carry output must have the same pytree structure
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::fori_loop(0, 3, [](auto i, auto c) { (void)(c + i); }, ex::array<float, 3>());
}
