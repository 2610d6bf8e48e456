// SPDX-License-Identifier: BSL-1.0
// rejects: scan body function carry input and carry output must have the same pytree structure
// rejects: carry_keeps_its_structure<
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sums = [](auto xs) {
  auto body = [](auto carry, auto x) { return ex::tuple(ex::tuple(carry, x), x); };
  return ex::scan(body, ex::zeros<float>(), xs);
};

int main() { (void)ex::jit(sums)(ex::array<float, 5>()); }
