// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: reshape: sizes are part of types: write ex::reshape<2, 3>\(x\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::reshape(ex::array<float, 3, 2>(), {6}); }
