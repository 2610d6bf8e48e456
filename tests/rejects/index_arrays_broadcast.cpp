// SPDX-License-Identifier: BSL-1.0
// rejects: the arrays of indices do not broadcast together
// within: 9 3
// lines: 22
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto elements = [](auto x, auto i, auto j) { return x(i, j); };

int main() { (void)ex::jit(elements)(ex::array<float, 4, 4>(), ex::array<int, 3>(), ex::array<int, 2>()); }
