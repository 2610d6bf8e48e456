// SPDX-License-Identifier: BSL-1.0
// rejects: NonConcreteBooleanIndexError: Array boolean indices must be concrete; .*[(]mask, ex::size<n>
// within: 9 3
// lines: 22
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto positive = [](auto x) { return x(x > 0); };

int main() { (void)ex::jit(positive)(ex::array<float, 4>()); }
