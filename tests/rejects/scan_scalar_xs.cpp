// SPDX-License-Identifier: BSL-1.0
// rejects: scan got a value with no leading axis to scan over
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sums = [](auto x) {
  return ex::scan([](auto c, auto v) { return ex::tuple(c + v, c); }, 0, x);
};

int main() { (void)ex::jit(sums)(ex::array<int>()); }
