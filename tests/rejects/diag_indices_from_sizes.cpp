// SPDX-License-Identifier: BSL-1.0
// rejects: diag_indices_from: the array must have at least two axes, all of one size
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::diag_indices_from(ex::array<float, 3, 2>()); }
