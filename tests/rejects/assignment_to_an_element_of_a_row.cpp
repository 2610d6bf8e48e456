// SPDX-License-Identifier: BSL-1.0
// rejects: (lvalue required as left operand of assignment|expression is not assignable|using .*temporary|assignment to)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  ex::array<float, 4, 2> x;
  x(0)(1) = 3;
}
