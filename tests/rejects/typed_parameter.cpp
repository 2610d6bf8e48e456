// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: a parameter of this callable has the type of an array or of a number.*write auto
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jit([](ex::array<float, 3> const& x) { return x + 1; })(ex::array<float, 3>());
}
