// SPDX-License-Identifier: BSL-1.0
// rejects: arrays in braces are no list: write ex::concatenate\(ex::tuple\(x, y\)\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::concatenate({ex::array<float, 3>(), ex::array<float, 2>()}); }
