// SPDX-License-Identifier: BSL-1.0
// rejects: this function returns nothing: its .return. is missing
// within: 12 4
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto doubled = [](auto x) { (void)(x * 2); };

int main() { (void)ex::jit(doubled)(ex::array<float, 3>()); }
