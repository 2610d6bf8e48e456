// SPDX-License-Identifier: BSL-1.0
// rejects: fori_loop body function carry input and carry output must have the same pytree structure
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sum = [](auto n, auto x) {
  return ex::fori_loop(0, n, [](auto i, auto s) { return ex::tuple(i, s); }, x);
};

int main() { (void)ex::jit(sum)(ex::array<int>(), ex::array<int>()); }
