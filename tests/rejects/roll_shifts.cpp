// SPDX-License-Identifier: BSL-1.0
// rejects: roll: the shifts of several axes are part of the type: write ex::roll<1, -1>\(x, ex::axis<0, 1>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::roll(ex::array<float, 3, 3>(), {1, 1}, ex::axis<0, 1>); }
