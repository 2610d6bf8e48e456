// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: Differentiation rule for the primitive that this message names is not implemented
// rejects: pmax
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  auto const f = [](auto x) { return ex::lax::pmax(x, ex::axis_name<"i">); };
  ex::jit(ex::vmap(ex::grad(f), ex::axis_name<"i">))(ex::array<float, 3>{1, 2, 3});
}
