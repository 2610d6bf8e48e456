// SPDX-License-Identifier: BSL-1.0
// rejects: while_loop body function carry input and carry output must have the same pytree structure
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto pairs = [](auto x) {
  return ex::while_loop([](auto c) { return c > 1.0f; }, [](auto c) { return ex::tuple(c, c); }, x);
};

int main() { (void)ex::jit(pairs)(ex::array<float>()); }
