// SPDX-License-Identifier: BSL-1.0
// rejects: reduce_window: window_dimensions, strides and dilations take one number for each axis
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto wrong = [](auto x) { return ex::reduce_window(x, 0.0f, [](auto a, auto b) { return a + b; }, ex::window_dimensions<2>); };

int main() { (void)ex::jit(wrong)(ex::array<float, 3, 4>()); }
