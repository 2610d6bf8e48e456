// SPDX-License-Identifier: BSL-1.0
// rejects: cond branches must have equal output types but they differ
// rejects: Revise true_fun and/or false_fun
// rejects: branches_return_one_type<(exprax::detail::)?branch<1>, (exprax::detail::)?component<0>, exprax::expr<float>, exprax::expr<int>
// within: 11 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto choose = [](auto p, auto x, auto n) {
  return ex::cond(p, [&] { return x; }, [&] { return n; });
};

int main() { (void)ex::jit(choose)(ex::array<bool>(), ex::array<float>(), ex::array<int>()); }
