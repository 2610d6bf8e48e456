// SPDX-License-Identifier: BSL-1.0
// rejects: vmap got inconsistent sizes for array axes to be mapped
// within: 12 3
// lines: 24
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sum = [](auto x, auto y) { return x + y; };

int main() { (void)ex::jit(ex::vmap(sum))(ex::array<float, 3, 2>(), ex::array<float, 4, 2>()); }
