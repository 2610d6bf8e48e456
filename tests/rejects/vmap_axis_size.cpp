// SPDX-License-Identifier: BSL-1.0
// rejects: vmap got inconsistent sizes for array axes to be mapped: the ex::axis_size that was given differs
// rejects: axis_size_differs<4, .*argument<0>, exprax::expr<float, 3>, (exprax::detail::)?at_axis<0>, (exprax::detail::)?of_size<3>
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto twice = [](auto x) { return x + x; };

int main() { (void)ex::vmap(twice, ex::axis_size<4>)(ex::array<float, 3>()); }
