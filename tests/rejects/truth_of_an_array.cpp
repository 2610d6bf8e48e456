// SPDX-License-Identifier: BSL-1.0
// rejects: the truth value of an array with more than one element is ambiguous
// rejects: ex::array_equal\(a, b\), ex::all\(x\)
// within: 8 4
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { return ex::array<float, 2>{1, 2} < 3 ? 1 : 0; }
