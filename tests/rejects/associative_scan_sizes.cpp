// SPDX-License-Identifier: BSL-1.0
// rejects: associative_scan: the arrays must have the same size along the axis
// within: 16 5
// lines: 40
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto first = [](auto a, auto) { return a; };
constexpr auto scan = [](auto x, auto y) { return ex::associative_scan(first, ex::tuple(x, y)); };

int main() { (void)ex::jit(scan)(ex::array<float, 3>(), ex::array<float, 4>()); }
