// SPDX-License-Identifier: BSL-1.0
// rejects: conv: options that contradict; it takes window_strides, padding
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::conv(ex::array<float, 1, 1, 4, 4>(), ex::array<float, 1, 1, 2, 2>(), ex::padding_same, ex::padding<1, 1, 1, 1>); }
