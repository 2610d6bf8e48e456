// SPDX-License-Identifier: BSL-1.0
// rejects: transpose: axes are part of types: write ex::transpose\(x, ex::axis<1, 0>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::transpose(ex::array<float, 3, 2>(), {1, 0}); }
