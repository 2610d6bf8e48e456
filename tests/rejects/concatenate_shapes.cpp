// SPDX-License-Identifier: BSL-1.0
// rejects: concatenate: the shapes must be equal but for the axis along which they are joined
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto join = [](auto x, auto y) { return ex::concatenate(ex::tuple(x, y)); };

int main() { (void)ex::jit(join)(ex::array<float, 3, 3>(), ex::array<float, 3, 2>()); }
