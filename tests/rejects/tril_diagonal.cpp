// SPDX-License-Identifier: BSL-1.0
// rejects: tril: the diagonal is part of the type: write ex::tril<-1>\(x\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::tril(ex::array<float, 3, 3>(), -1); }
