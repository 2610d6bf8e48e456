// SPDX-License-Identifier: BSL-1.0
// rejects: nn::one_hot: the number of classes is part of the type: write ex::nn::one_hot<3>\(x\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::nn::one_hot(ex::array<int, 3>(), 5); }
