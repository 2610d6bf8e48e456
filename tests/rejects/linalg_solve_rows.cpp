// SPDX-License-Identifier: BSL-1.0
// rejects: linalg.solve: b must have as many rows as a
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto solve = [](auto a, auto b) { return ex::linalg::solve(a, b); };

int main() { (void)ex::jit(solve)(ex::array<float, 3, 3>(), ex::array<float, 4>()); }
