// SPDX-License-Identifier: BSL-1.0
// rejects: vmap in_axes must be entries corresponding to the positional arguments
// rejects: entries<2>, (exprax::detail::)?arguments<3>
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sum = [](auto x, auto y, auto z) { return x + y + z; };
constexpr ex::array<float, 3> v{1, 2, 3};

int main() { (void)ex::vmap(sum, ex::in_axes<0, ex::none>)(v, v, v); }
