// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: transpose_solve required for backwards mode automatic differentiation of custom_linear_solve
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  auto const f = [](auto a, auto b) {
    return ex::sum(ex::custom_linear_solve([=](auto x) { return a * x; }, b, [=](auto, auto y) { return y / a; }));
  };
  ex::jit(ex::grad(f))(ex::array<float, 2>{1, 2}, ex::array<float, 2>{3, 4});
}
