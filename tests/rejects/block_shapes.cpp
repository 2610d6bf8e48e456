// SPDX-License-Identifier: BSL-1.0
// rejects: the shapes of arrays that are joined must be equal but for the axis along which they are joined
// within: 40 3
// lines: 40
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto blocks = [](auto x, auto y) { return ex::block(ex::tuple(ex::tuple(x, y))); };

int main() { (void)ex::jit(blocks)(ex::array<float, 3, 2>(), ex::array<float, 4, 2>()); }
