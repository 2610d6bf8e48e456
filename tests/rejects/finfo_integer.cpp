// SPDX-License-Identifier: BSL-1.0
// rejects: finfo: of a floating or complex dtype; iinfo tells the limits of integers
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::finfo(ex::int32); }
