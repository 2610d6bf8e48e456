// SPDX-License-Identifier: BSL-1.0
// rejects: cond branch outputs must have the same pytree structure
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto choose = [](auto p, auto x) {
  return ex::cond(p, [](auto a) { return a; }, [](auto a) { return ex::tuple(a, a); }, x);
};

int main() { (void)ex::jit(choose)(ex::array<bool>(), ex::array<float>()); }
