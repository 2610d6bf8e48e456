// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: linspace: the number is part of the type: write ex::linspace<5>\(0, 1\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::linspace(0, 1, 5); }
