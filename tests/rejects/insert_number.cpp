// SPDX-License-Identifier: BSL-1.0
// rejects: insert: places are part of types: write ex::insert<0>\(x, value, ex::axis<0>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::insert(ex::array<float, 2, 3>(), 0, 1.0f); }
