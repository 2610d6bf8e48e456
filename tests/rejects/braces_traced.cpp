// SPDX-License-Identifier: BSL-1.0
// rejects: an array of traced values is one traced value: write ex::stack\(ex::tuple\(x, y\)\)
// within: 12 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto f = [](auto x, auto y) { return ex::array<float, 2>{x, y}; };

int main() { (void)ex::jit(f)(1.0f, 2.0f); }
