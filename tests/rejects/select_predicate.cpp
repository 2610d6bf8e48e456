// SPDX-License-Identifier: BSL-1.0
// rejects: select: the predicate must be a scalar or have the shape of the cases
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto choose = [](auto p, auto x) { return ex::select(p, x, -x); };

int main() { (void)ex::jit(choose)(ex::array<bool, 1>(), ex::array<float, 3>()); }
