// SPDX-License-Identifier: BSL-1.0
// rejects: associative_scan: the axis is out of range for an array
// within: 16 5
// lines: 40
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto scan = [](auto x) { return ex::associative_scan(add, x, ex::axis<1>); };

int main() { (void)ex::jit(scan)(ex::array<float, 3>()); }
