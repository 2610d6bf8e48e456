// SPDX-License-Identifier: BSL-1.0
// rejects: scan got values with different leading axis sizes
// rejects: leading_sizes<3, 4>
// within: 11 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sums = [](auto xs, auto ys) {
  return ex::scan([](auto c, auto x) { return ex::tuple(c + ex::get<0>(x), c); }, 0, ex::tuple(xs, ys));
};

int main() { (void)ex::jit(sums)(ex::array<int, 3>(), ex::array<int, 4>()); }
