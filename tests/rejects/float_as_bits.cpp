// SPDX-License-Identifier: BSL-1.0
// rejects: bitwise_and .*does not accept floats: use logical_and
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto bits = [](auto a, auto b) { return a & b; };

int main() { (void)ex::jit(bits)(ex::array<float, 3>(), ex::array<float, 3>()); }
