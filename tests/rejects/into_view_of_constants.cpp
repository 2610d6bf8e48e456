// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: into: an output is constant
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto twice = [](auto x) { return ex::tuple(x, x); };

int main() {
  ex::array<float, 3> from, to;
  ex::jit(twice).into(ex::tuple(ex::view<float, 3>(to), ex::view<const float, 3>(from)), from);
}
