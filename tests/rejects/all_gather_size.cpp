// SPDX-License-Identifier: BSL-1.0
// rejects: a collective expects another size of the mapped axis than it has
// rejects: axis_of_size<3, 4>
// within: 12 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto all = [](auto x) { return ex::all_gather(x, ex::axis_name<"i">, ex::axis_size<4>); };

int main() { (void)ex::vmap(all, ex::axis_name<"i">)(ex::array<float, 3>()); }
