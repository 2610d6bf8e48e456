// SPDX-License-Identifier: BSL-1.0
// rejects: To make jnp.unique.. compatible with JIT and other transforms, you can specify a concrete value for the size argument
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto values = [](auto x) { return ex::unique(x); };

int main() { (void)ex::jit(values)(ex::array<float, 4>()); }
