// SPDX-License-Identifier: BSL-1.0
// rejects: iinfo: of an integer dtype; finfo tells the limits of floats
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::iinfo(ex::float32); }
