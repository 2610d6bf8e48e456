// SPDX-License-Identifier: BSL-1.0
// rejects: while_loop body function carry input and carry output must have equal types
// rejects: carry_keeps_its_type<(exprax::detail::)?component<1>, exprax::expr<int>, exprax::expr<exprax::weak<float>
// within: 11 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto halves = [](auto x) {
  auto body = [](auto c) { return ex::tuple(ex::get<0>(c) * 0.5f, ex::get<1>(c) * 0.5f); };
  return ex::while_loop([](auto c) { return ex::get<0>(c) > 1.0f; }, body, ex::tuple(x, ex::zeros<int>()));
};

int main() { (void)ex::jit(halves)(ex::array<float>(8)); }
