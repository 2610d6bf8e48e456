// SPDX-License-Identifier: BSL-1.0
// rejects: tensordot: requires axes lists to have equal length
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::tensordot(ex::array<float, 3, 2>{}, ex::array<float, 2>{}, ex::axis<0>, ex::axis<0, 1>); }
