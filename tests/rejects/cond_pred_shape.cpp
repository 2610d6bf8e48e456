// SPDX-License-Identifier: BSL-1.0
// rejects: Pred must be a scalar
// rejects: is_a_scalar<exprax::expr<bool, 2>
// within: 11 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto choose = [](auto p, auto x) {
  return ex::cond(p, [](auto a) { return a; }, [](auto a) { return -a; }, x);
};

int main() { (void)ex::jit(choose)(ex::array<bool, 2>(), ex::array<float>()); }
