// SPDX-License-Identifier: BSL-1.0
// rejects: Can only use `unroll` in `fori_loop` if the loop bounds are statically known
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sum = [](auto n, auto x) {
  return ex::fori_loop(0, n, [](auto i, auto s) { return s + i; }, x, ex::unroll<4>);
};

int main() { (void)ex::jit(sum)(ex::array<int>(), ex::array<int>()); }
