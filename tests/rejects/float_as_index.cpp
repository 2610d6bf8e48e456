// SPDX-License-Identifier: BSL-1.0
// rejects: an index must be a C\+\+ int, a traced integer scalar, ex::all
// within: 9 3
// lines: 21
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto element = [](auto a, auto i) { return a(i); };

int main() { (void)ex::jit(element)(ex::array<float, 3>(), 1.0f); }
