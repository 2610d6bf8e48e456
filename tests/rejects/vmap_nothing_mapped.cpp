// SPDX-License-Identifier: BSL-1.0
// rejects: vmap must have at least one non-None value in in_axes, or axis_size must be specified
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto twice = [](auto x) { return x + x; };

int main() { (void)ex::vmap(twice, ex::in_axes<ex::none>)(ex::array<float, 3>()); }
