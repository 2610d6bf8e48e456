// SPDX-License-Identifier: BSL-1.0
// rejects: a name of an axis is a tag: write ex::axis_name<"i">
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto total = [](auto x) { return ex::psum(x, "i"); };

int main() { (void)ex::vmap(total, ex::axis_name<"i">)(ex::array<float, 3>()); }
