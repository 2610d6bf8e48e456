// SPDX-License-Identifier: BSL-1.0
// rejects: this function assigns to a parameter .auto&.: arguments do not change
// within: 12 4
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto running = [](auto xs) {
  return ex::scan(
      [](auto& carry, auto x) {
        carry = carry + x;
        return ex::tuple(carry, x);
      },
      xs(0), xs);
};

int main() { (void)ex::jit(running)(ex::array<float, 3>()); }
