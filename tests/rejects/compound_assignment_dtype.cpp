// SPDX-License-Identifier: BSL-1.0
// rejects: x \+= y: x \+ y has another dtype or shape than x
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto half_more = [](auto i) {
  i += 0.5f;
  return i;
};

int main() { (void)ex::jit(half_more)(ex::array<int, 3>()); }
