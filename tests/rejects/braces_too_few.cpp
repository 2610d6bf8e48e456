// SPDX-License-Identifier: BSL-1.0
// rejects: a list in braces has all elements of the array, as ex::array<float, 3>{1, 2, 3}; for one number everywhere: ex::full<3>\(x\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::array<int, 8>{0, 1}; }
