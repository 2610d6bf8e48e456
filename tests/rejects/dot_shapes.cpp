// SPDX-License-Identifier: BSL-1.0
// rejects: dot: contracting dimensions differ
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto product = [](auto a, auto b) { return ex::dot(a, b); };

int main() { (void)ex::jit(product)(ex::array<float, 3, 4>(), ex::array<float, 5, 2>()); }
