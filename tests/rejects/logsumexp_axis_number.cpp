// SPDX-License-Identifier: BSL-1.0
// rejects: logsumexp: axes and sizes are template arguments, as in ex::axis<0>, not numbers
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::logsumexp(ex::array<float, 2, 3>(), 0); }
