// SPDX-License-Identifier: BSL-1.0
// rejects: sort: the axis is out of range for the array
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto wrong = [](auto x) { return ex::sort(x, ex::axis<2>); };

int main() { (void)ex::jit(wrong)(ex::array<float, 3, 4>()); }
