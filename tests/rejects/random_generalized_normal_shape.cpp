// SPDX-License-Identifier: BSL-1.0
// rejects: random::generalized_normal: p must broadcast to the shape
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto draw = [](auto key, auto p) { return ex::random::generalized_normal(key, p); };

int main() { (void)ex::jit(draw)(ex::random::key(1), ex::array<float, 3>()); }
