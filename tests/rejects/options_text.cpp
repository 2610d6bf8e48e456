// SPDX-License-Identifier: BSL-1.0
// rejects: reduce_window: an option is a tag, such as ex::padding_same, not a text, "SAME"; it takes window_dimensions, window_strides
// lines: 21
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto wrong = [](auto x) { return ex::reduce_window(x, 0.0f, [](auto a, auto b) { return a + b; }, ex::window_dimensions<2, 2>, "SAME"); };

int main() { (void)ex::jit(wrong)(ex::array<float, 3, 4>()); }
