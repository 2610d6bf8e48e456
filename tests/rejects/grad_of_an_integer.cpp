// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: grad requires real- or complex-valued inputs
// rejects: exprax::expr<int, 3>
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { ex::jit(ex::grad([](auto x) { return ex::sum(x * 2.0f); }))(ex::array<int, 3>()); }
