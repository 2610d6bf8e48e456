// SPDX-License-Identifier: BSL-1.0
// rejects: scan body function carry input and carry output must have equal types
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sums = [](auto xs) {
  auto body = [](auto carry, auto x) { return ex::tuple(carry + x, x); };
  return ex::scan(body, ex::zeros<float, 1>(), xs);
};

int main() { (void)ex::jit(sums)(ex::array<float, 5, 3>()); }
