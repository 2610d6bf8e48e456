// SPDX-License-Identifier: BSL-1.0
// rejects: vectorize: output shape does not match core dimensions
// rejects: (exprax::detail::)?result<0>, exprax::expr<float>, (exprax::detail::)?core_dimensions<1>
// within: 16 3
// lines: 34
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto total = [](auto x) { return ex::sum(x); };

int main() { (void)ex::vectorize<"(n)->(n)">(total)(ex::array<float, 3>()); }
