// SPDX-License-Identifier: BSL-1.0
// rejects: convolve: the mode is part of the type: write ex::convolve\(x, y, ex::mode<"same">\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::convolve(ex::array<float, 3>(), ex::array<float, 2>(), "same"); }
