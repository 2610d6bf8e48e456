// SPDX-License-Identifier: BSL-1.0
// rejects: histogram: weights should have the same shape as the array
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::histogram<4>(ex::array<float, 8>{}, ex::weights(ex::array<float, 7>{})); }
