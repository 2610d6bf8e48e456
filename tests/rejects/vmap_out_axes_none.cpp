// SPDX-License-Identifier: BSL-1.0
// rejects: vmap has mapped output but out_axes is none
// rejects: result_on_axis<1, 0>
// within: 12 3
// lines: 24
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto both = [](auto x, auto y) { return ex::tuple(x, x + y); };

int main() { (void)ex::vmap(both, ex::in_axes<0, ex::none>, ex::out_axes<0, ex::none>)(ex::array<float, 3>(), 1.0f); }
