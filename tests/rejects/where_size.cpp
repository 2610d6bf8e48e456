// SPDX-License-Identifier: BSL-1.0
// rejects: where: The size argument of jnp.nonzero must be statically specified .* Use ex::where\(mask, ex::size<n>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto positive = [](auto x) { return std::get<0>(ex::where(x > 0)); };

int main() { (void)ex::jit(positive)(ex::array<float, 4>()); }
