// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: this function returns nothing
// lines: 15
#include <iostream>

#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  std::cout << ex::jit([](auto x) { (void)(x + 1); })(ex::array<float, 3>());
}
