// SPDX-License-Identifier: BSL-1.0
// rejects: changes nothing, for x\(i\) is a value of its own: write x = x.at\(i\).set\(v\)
// within: 12 4
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto first_three = [](auto x) {
  x(0) = 3.0f;
  return x;
};

int main() { (void)ex::jit(first_three)(ex::array<float, 3>()); }
