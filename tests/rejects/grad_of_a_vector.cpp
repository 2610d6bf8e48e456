// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: Gradient only defined for scalar-output functions. Output had the type that this message names
// rejects: exprax::expr<float, 3>
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { ex::jit(ex::grad([](auto x) { return ex::sin(x); }))(ex::array<float, 3>()); }
