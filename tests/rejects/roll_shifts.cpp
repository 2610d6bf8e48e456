// SPDX-License-Identifier: BSL-1.0
// rejects: roll: write the shifts of several axes as ex::roll<1, -1>\(x, ex::axis<0, 1>\), or ex::roll\(x, ex::tuple\(i, j\), ex::axis<0, 1>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::roll(ex::array<float, 3, 3>(), {1, 1}, ex::axis<0, 1>); }
