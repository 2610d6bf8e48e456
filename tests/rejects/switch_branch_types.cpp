// SPDX-License-Identifier: BSL-1.0
// rejects: switch branches must have equal output types but they differ
// rejects: branches_return_one_type<(exprax::detail::)?branch<2>, (exprax::detail::)?component<0>, exprax::expr<float>, exprax::expr<float, 1>
// within: 11 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto choose = [](auto i, auto x) {
  auto same = [](auto a) { return a; };
  return ex::switch_(i, ex::branches(same, same, [](auto a) { return ex::reshape<1>(a); }), x);
};

int main() { (void)ex::jit(choose)(ex::array<int>(), ex::array<float>()); }
