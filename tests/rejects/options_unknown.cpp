// SPDX-License-Identifier: BSL-1.0
// rejects: nn::softmax: unknown option; it takes axis<...>, where_\(mask\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::nn::softmax(ex::array<float, 3, 4>(), ex::axis<0>, ex::keepdims); }
