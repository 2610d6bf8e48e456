// SPDX-License-Identifier: BSL-1.0
// rejects: array split does not result in an equal division
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto halves = [](auto a) { return ex::split<2>(a); };

int main() { (void)ex::jit(halves)(ex::array<float, 3>()); }
