// SPDX-License-Identifier: BSL-1.0
// rejects: while_loop body function carry input and carry output must have the same pytree structure
// rejects: none_t
// within: 14 4
// lines: 34
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::while_loop([](auto x) { return x < 3; }, [](auto x) { (void)(x + 1); }, ex::array<float>(0)); }
