// SPDX-License-Identifier: BSL-1.0
// rejects: a function that is not constexpr \(the next error names it: for std::sqrt there is ex::sqrt\)
// lines: 60
#include <cstdlib>

#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto scaled = [](auto x) { return x / std::atof("2"); };

int main() { (void)ex::jit(scaled)(ex::array<float, 3>()); }
