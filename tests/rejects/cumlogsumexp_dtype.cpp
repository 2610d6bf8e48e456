// SPDX-License-Identifier: BSL-1.0
// rejects: cumlogsumexp: the elements must be floats
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto logs = [](auto x) { return ex::cumlogsumexp(x); };

int main() { (void)ex::jit(logs)(ex::array<int, 3>()); }
