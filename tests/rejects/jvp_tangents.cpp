// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: jvp: primal and tangent arguments must have the same tree structure, dtypes and shapes
// rejects: exprax::expr<float, 2>
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { ex::jvp([](auto x) { return ex::sin(x); }, ex::tuple(ex::array<float, 3>()), ex::tuple(ex::array<float, 2>())); }
