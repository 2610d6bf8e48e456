// SPDX-License-Identifier: BSL-1.0
// rejects: roll: an axis is part of a type: write ex::roll\(x, shift, ex::axis<0>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::roll(ex::array<float, 3, 2>(), 1, 0); }
