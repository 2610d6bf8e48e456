// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: grad with ex::has_aux: the function must return a pair
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { ex::jit(ex::grad([](auto x) { return ex::sum(x); }, ex::has_aux))(ex::array<float, 3>()); }
