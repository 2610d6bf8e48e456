// SPDX-License-Identifier: BSL-1.0
// rejects: arrays in braces are no list: write ex::concatenate\(ex::tuple\(x, y\)\)
// within: 12 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto twice = [](auto x) { return ex::stack({x, x}, ex::axis<1>); };

int main() { (void)ex::jit(twice)(ex::array<float, 3>()); }
