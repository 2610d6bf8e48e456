// SPDX-License-Identifier: BSL-1.0
// rejects: this function takes no template arguments: axes and options stand behind the values
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { auto const y = ex::sum<0>(ex::array<float, 3, 2>()); }
