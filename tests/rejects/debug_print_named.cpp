// SPDX-License-Identifier: BSL-1.0
// rejects: debug_print_knows_only_empty_placeholders_and_doubled_braces
// within: 12 40
// lines: 64
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto show = [](auto x) { ex::debug_print("x {x}", x); };

int main() { (void)ex::jit(show)(ex::array<float, 3>()); }
