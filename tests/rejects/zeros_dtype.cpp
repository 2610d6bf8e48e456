// SPDX-License-Identifier: BSL-1.0
// rejects: zeros: sizes are part of types: write ex::zeros<2, 3>\(\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::zeros(3, ex::float32); }
