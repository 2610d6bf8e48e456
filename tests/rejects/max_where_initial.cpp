// SPDX-License-Identifier: BSL-1.0
// rejects: reduction operation max does not have an identity, so to use a where mask one has to specify 'initial'
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto wrong = [](auto x) { return ex::max(x, ex::where_(x > 0)); };

int main() { (void)ex::jit(wrong)(ex::array<float, 3, 4>()); }
