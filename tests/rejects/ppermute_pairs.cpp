// SPDX-License-Identifier: BSL-1.0
// rejects: `perm` does not represent a permutation
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto moved = [](auto x) { return ex::ppermute(x, ex::axis_name<"i">, {{0, 1}, {1, 1}, {2, 0}}); };

int main() { (void)ex::vmap(moved, ex::axis_name<"i">)(ex::array<float, 3>()); }
