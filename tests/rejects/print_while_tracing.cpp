// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: a traced value in a stream
#include <iostream>

#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto shown = [](auto x) {
  std::cout << x;
  return x;
};

int main() { (void)ex::jit(shown)(ex::array<float, 3>()); }
