// SPDX-License-Identifier: BSL-1.0
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto twice = [](auto x) { return x + x; };

int main() { return ex::jit(twice)(ex::array<float, 3>{1, 2, 3}) == ex::array<float, 3>{2, 4, 6} ? 0 : 1; }
