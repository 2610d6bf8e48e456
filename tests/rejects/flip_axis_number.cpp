// SPDX-License-Identifier: BSL-1.0
// rejects: flip: an axis is part of a type: write ex::flip\(x, ex::axis<0>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::flip(ex::array<float, 2, 3>(), 0); }
