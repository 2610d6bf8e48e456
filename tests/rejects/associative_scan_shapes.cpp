// SPDX-License-Identifier: BSL-1.0
// rejects: associative_scan: fn must return values of the structure, shapes and dtypes of its arguments
// within: 16 5
// lines: 40
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto dot = [](auto a, auto b) { return ex::dot(a, b); };
constexpr auto scan = [](auto x) { return ex::associative_scan(dot, x); };

int main() { (void)ex::jit(scan)(ex::array<float, 4>()); }
