// SPDX-License-Identifier: BSL-1.0
// rejects: tensordot: the number of axes is part of the type: write ex::tensordot<1>\(a, b\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::tensordot(ex::array<float, 2, 3>(), ex::array<float, 2, 3>(), 1); }
