// SPDX-License-Identifier: BSL-1.0
// rejects: tree_reduce: a tree without leaves has no first one: give an initial value
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::tree_reduce([](auto a, auto b) { return a + b; }, ex::tuple()); }
