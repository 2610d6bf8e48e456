// SPDX-License-Identifier: BSL-1.0
// rejects: debug_print: none of the values is traced
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto show = [](auto x) {
  ex::debug_print("{}", 5);
  return x;
};

int main() { (void)ex::jit(show)(ex::array<float, 3>()); }
