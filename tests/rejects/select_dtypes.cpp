// SPDX-License-Identifier: BSL-1.0
// rejects: select: the cases must have equal dtypes: it does not promote, ex::where does
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto choose = [](auto p, auto x, auto y) { return ex::select(p, x, y); };

int main() { (void)ex::jit(choose)(true, ex::array<float, 3>(), ex::array<int, 3>()); }
