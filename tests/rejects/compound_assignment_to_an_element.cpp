// SPDX-License-Identifier: BSL-1.0
// rejects: x\(i\) \+= v changes nothing, for x\(i\) is a value of its own: write x = x.at\(i\).add\(v\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto first_more = [](auto x) {
  x(0) += 0.5f;
  return x;
};

int main() { (void)ex::jit(first_more)(ex::array<float, 3>()); }
