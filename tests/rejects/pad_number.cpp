// SPDX-License-Identifier: BSL-1.0
// rejects: pad: give one width, ex::pad<1>\(x\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::pad(ex::array<float, 2, 3>(), 1); }
