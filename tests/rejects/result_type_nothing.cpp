// SPDX-License-Identifier: BSL-1.0
// rejects: result_type: at least one value or dtype
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::result_type(); }
