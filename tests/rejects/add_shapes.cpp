// SPDX-License-Identifier: BSL-1.0
// rejects: add: shapes do not broadcast: counted from the last axis, sizes must be equal or 1
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sum = [](auto a, auto b) { return a + b; };

int main() { (void)ex::jit(sum)(ex::array<float, 3>(), ex::array<float, 4>()); }
