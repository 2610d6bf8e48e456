// SPDX-License-Identifier: BSL-1.0
// rejects: vmap got inconsistent sizes for array axes to be mapped: this message lists each argument, its type, the axis, and its size
// rejects: argument<0>, exprax::expr<float, 3, 2>, (exprax::detail::)?at_axis<0>, (exprax::detail::)?of_size<3>
// rejects: argument<1>, exprax::expr<float, 2, 4>, (exprax::detail::)?at_axis<1>, (exprax::detail::)?of_size<4>
// lines: 24
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sum = [](auto x, auto y) { return x + y; };

int main() { (void)ex::jit(ex::vmap(sum, ex::in_axes<0, -1>))(ex::array<float, 3, 2>(), ex::array<float, 2, 4>()); }
