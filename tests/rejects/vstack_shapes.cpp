// SPDX-License-Identifier: BSL-1.0
// rejects: vstack: the shapes must be equal but for the first axis
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto rows = [](auto x, auto y) { return ex::vstack(x, y); };

int main() { (void)ex::jit(rows)(ex::array<float, 3>(), ex::array<float, 4>()); }
