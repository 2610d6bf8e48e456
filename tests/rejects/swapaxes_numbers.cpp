// SPDX-License-Identifier: BSL-1.0
// rejects: swapaxes: axes are part of types: write ex::swapaxes<0, 1>\(x\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::swapaxes(ex::array<float, 2, 3>(), 0, 1); }
