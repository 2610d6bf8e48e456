// SPDX-License-Identifier: BSL-1.0
// rejects: cond_fun must return a boolean scalar
// rejects: is_a_boolean_scalar<exprax::expr<bool, 3>
// within: 11 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto count_down = [](auto x) {
  return ex::while_loop([](auto c) { return c > 0; }, [](auto c) { return c - 1; }, x);
};

int main() { (void)ex::jit(count_down)(ex::array<int, 3>()); }
