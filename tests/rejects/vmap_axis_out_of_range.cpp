// SPDX-License-Identifier: BSL-1.0
// rejects: vmap was requested to map its argument along an axis that it does not have
// rejects: exprax::expr<float, 3, 4>, (exprax::detail::)?given_axis<2>, (exprax::detail::)?its_rank<2>
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto twice = [](auto x) { return x + x; };

int main() { (void)ex::vmap(twice, ex::in_axes<2>)(ex::array<float, 3, 4>()); }
