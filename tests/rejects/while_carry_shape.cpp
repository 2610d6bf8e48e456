// SPDX-License-Identifier: BSL-1.0
// rejects: while_loop body function carry input and carry output must have equal types
// rejects: carry_keeps_its_type<(exprax::detail::)?component<0>, exprax::expr<float, 4>, exprax::expr<float, 2>
// within: 11 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto shrink = [](auto x) {
  return ex::while_loop([](auto c) { return c(0) > 1.0f; }, [](auto c) { return c(ex::slice<1, -1>); }, x);
};

int main() { (void)ex::jit(shrink)(ex::array<float, 4>()); }
