// SPDX-License-Identifier: BSL-1.0
// rejects: ones: sizes are part of types: write ex::ones<2, 3>\(\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::ones({2, 3}); }
