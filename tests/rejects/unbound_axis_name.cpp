// SPDX-License-Identifier: BSL-1.0
// rejects: unbound axis name: .*A collective \(ex::psum, ...\) is called outside of ex::vmap
// rejects: unbound_axis_named<.*"?batch
// lines: 24
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto total = [](auto x) { return ex::psum(x, ex::axis_name<"batch">); };

int main() { (void)ex::jit(ex::vmap(total, ex::axis_name<"i">))(ex::array<float, 3>()); }
