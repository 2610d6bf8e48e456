// SPDX-License-Identifier: BSL-1.0
// rejects: debug_print_needs_one_placeholder_for_each_value
// within: 12 40
// lines: 64
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto show = [](auto x) { ex::debug_print("{} and {}", x); };

int main() { (void)ex::jit(show)(ex::array<float, 3>()); }
