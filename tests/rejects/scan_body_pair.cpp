// SPDX-License-Identifier: BSL-1.0
// rejects: scan body function must return a pair
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sums = [](auto xs) {
  return ex::scan([](auto c, auto x) { return c + x; }, 0, xs);
};

int main() { (void)ex::jit(sums)(ex::array<int, 3>()); }
