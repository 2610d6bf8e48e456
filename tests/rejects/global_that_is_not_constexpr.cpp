// SPDX-License-Identifier: BSL-1.0
// rejects: it prints(, captures a name of `auto \[a, b\]` \(write \[a = a\]\))?, or uses a variable or a function that is not constexpr \(the next error names it
// rejects: rate
// within: 30 35
// lines: 80
#include <exprax/exprax.hpp>

namespace ex = exprax;

float rate = 0.5f;
constexpr auto scaled = [](auto x) { return x * rate; };

int main() { (void)ex::jit(scaled)(ex::array<float, 3>()); }
