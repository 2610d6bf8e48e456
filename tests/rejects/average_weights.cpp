// SPDX-License-Identifier: BSL-1.0
// rejects: average: the weights must have the shape of the array, or that of the axes
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::average(ex::array<float, 2, 3>{}, ex::weights(ex::array<float, 2>{})); }
