// SPDX-License-Identifier: BSL-1.0
// rejects: cumsum: the axis is out of range for the array
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sums = [](auto x) { return ex::cumsum(x, ex::axis<2>); };

int main() { (void)ex::jit(sums)(ex::array<float, 3, 4>()); }
