// SPDX-License-Identifier: BSL-1.0
// rejects: at\(mask\)\.set, add, \.\.\.: the value must be a scalar
// within: 9 3
// lines: 22
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto update = [](auto x) { return x.at(x > 0).set(x); };

int main() { (void)ex::jit(update)(ex::array<float, 4>()); }
