// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: Differentiation rule for the primitive that this message names is not implemented
// rejects: pmax
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto largest = [](auto x) { return ex::pmax(x, ex::axis_name<"i">); };

int main() { ex::jit(ex::vmap(ex::grad(largest), ex::axis_name<"i">))(ex::array<float, 3>{1, 2, 3}); }
