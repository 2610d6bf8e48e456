// SPDX-License-Identifier: BSL-1.0
// rejects: Empty branch sequence
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto choose = [](auto i, auto x) { return ex::switch_(i, ex::branches(), x); };

int main() { (void)ex::jit(choose)(ex::array<int>(), ex::array<float>()); }
