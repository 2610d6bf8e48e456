// SPDX-License-Identifier: BSL-1.0
// rejects: vmap in_axes must be a tree prefix of the arguments
// rejects: children<2>, (exprax::detail::)?entries<3>
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sum = [](auto pair) { return ex::get<0>(pair) + ex::get<1>(pair); };

int main() { (void)ex::vmap(sum, ex::in_axes<ex::axes<0, ex::none, 0>>)(ex::tuple(ex::array<float, 3>(), ex::array<float>())); }
