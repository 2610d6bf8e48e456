// SPDX-License-Identifier: BSL-1.0
// rejects: top_k: k must be between 0 and the size along the axis
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto wrong = [](auto x) { return ex::top_k<5>(x); };

int main() { (void)ex::jit(wrong)(ex::array<float, 3, 4>()); }
