// SPDX-License-Identifier: BSL-1.0
// rejects: vmap: out_axes names an axis that the result does not have
// rejects: exprax::expr<float>, (exprax::detail::)?given_axis<1>, (exprax::detail::)?its_rank<1>
// within: 14 3
// lines: 24
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto total = [](auto x) { return ex::sum(x); };

int main() { (void)ex::vmap(total, ex::out_axes<1>)(ex::array<float, 3, 4>()); }
