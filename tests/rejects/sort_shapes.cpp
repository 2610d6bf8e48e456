// SPDX-License-Identifier: BSL-1.0
// rejects: sort: all operands must have one shape
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto wrong = [](auto x) { return ex::lax::sort(ex::tuple(x, x(0))); };

int main() { (void)ex::jit(wrong)(ex::array<float, 3, 4>()); }
