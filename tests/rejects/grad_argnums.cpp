// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: grad: argnums must be in \[-n, n\) for a call with n arguments
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { ex::jit(ex::grad([](auto x) { return ex::sum(x); }, ex::argnums<1>))(ex::array<float, 3>()); }
