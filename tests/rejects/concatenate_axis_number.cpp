// SPDX-License-Identifier: BSL-1.0
// rejects: concatenate: an axis is part of a type: write ex::concatenate\(ex::tuple\(x, y\), ex::axis<1>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::concatenate(ex::tuple(ex::array<float, 2, 3>(), ex::array<float, 2, 3>()), 1); }
