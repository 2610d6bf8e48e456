// SPDX-License-Identifier: BSL-1.0
// rejects: this function assigns to a parameter .auto&.: arguments do not change
// within: 12 4
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto next = [](auto& x) {
  x = x + 1;
  return x * 2;
};

int main() { (void)ex::jit(next)(ex::array<float, 3>()); }
