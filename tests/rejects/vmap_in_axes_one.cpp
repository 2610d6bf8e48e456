// SPDX-License-Identifier: BSL-1.0
// rejects: vmap in_axes must be entries corresponding to the positional arguments passed to the function: as many as there are arguments
// rejects: entries<1>, (exprax::detail::)?arguments<2>
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sum = [](auto x, auto y) { return x + y; };
constexpr ex::array<float, 3> v{1, 2, 3};

int main() { (void)ex::vmap(sum, ex::in_axes<0>)(v, v); }
