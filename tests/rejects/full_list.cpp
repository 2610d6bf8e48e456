// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: full: sizes are part of types: write ex::full<2, 3>\(value\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::full({2, 3}, 1.0f); }
