// SPDX-License-Identifier: BSL-1.0
// rejects: mean: axes and sizes are template arguments, as in ex::axis<0>, not numbers; it takes axis<
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::mean(ex::array<float, 2, 3>(), 0); }
