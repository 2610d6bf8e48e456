// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: Differentiation rule for the primitive that this message names is not implemented
// rejects: scatter-mul
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  ex::jit(ex::grad([](auto x, auto i) { return ex::sum(x.at(i).multiply(2.0f)); }))(ex::array<float, 3>{1, 2, 3}, 1);
}
