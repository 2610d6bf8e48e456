// SPDX-License-Identifier: BSL-1.0
// rejects: cummax: does not accept bool
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto running = [](auto x) { return ex::cummax(x); };

int main() { (void)ex::jit(running)(ex::array<bool, 3>()); }
