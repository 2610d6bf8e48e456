// SPDX-License-Identifier: BSL-1.0
// rejects: squeeze: an axis is part of a type: write ex::squeeze\(x, ex::axis<0>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::squeeze(ex::array<float, 2, 3>(), 0); }
