// SPDX-License-Identifier: BSL-1.0
// rejects: scan got values with different leading axis sizes
// lines: 30
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto add = [](auto pair) { return ex::get<0>(pair) + ex::get<1>(pair); };
constexpr auto sums = [](auto x, auto y) { return ex::map(add, ex::tuple(x, y)); };

int main() { (void)ex::jit(sums)(ex::array<float, 3>(), ex::array<float, 4>()); }
