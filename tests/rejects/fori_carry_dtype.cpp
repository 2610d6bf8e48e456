// SPDX-License-Identifier: BSL-1.0
// rejects: fori_loop body function carry input and carry output must have equal types
// rejects: carry_keeps_its_type<(exprax::detail::)?component<0>, exprax::expr<int>, exprax::expr<exprax::weak<float>
// within: 11 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sum = [](auto x) {
  return ex::fori_loop(0, 10, [](auto i, auto s) { return s + i * 0.5f; }, x);
};

int main() { (void)ex::jit(sum)(ex::array<int>()); }
