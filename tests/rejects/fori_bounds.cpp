// SPDX-License-Identifier: BSL-1.0
// rejects: lower and upper arguments to fori_loop must have equal types
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sum = [](auto lower, auto upper, auto x) {
  return ex::fori_loop(lower, upper, [](auto i, auto s) { return s + i; }, x);
};

int main() { (void)ex::jit(sum)(ex::array<int>(), ex::array<std::int16_t>(), ex::array<int>()); }
