// SPDX-License-Identifier: BSL-1.0
// rejects: reshape: the number of elements must stay the same
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto rows = [](auto x) { return ex::reshape<4, 2>(x); };

int main() { (void)ex::jit(rows)(ex::array<float, 3, 3>()); }
