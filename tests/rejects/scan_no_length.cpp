// SPDX-License-Identifier: BSL-1.0
// rejects: scan got no values to scan over and `length` not provided
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto count = [](auto x) {
  return ex::scan([](auto c, auto) { return ex::tuple(c + 1, c); }, x, ex::none);
};

int main() { (void)ex::jit(count)(ex::array<int>()); }
