// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: Differentiation rule for the primitive that this message names is not implemented
// rejects: digamma
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { ex::jit(ex::grad([](auto x) { return ex::lax::digamma(x); }))(ex::array<float>(1)); }
